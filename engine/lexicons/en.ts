import type { IntentSigns, NoiseSigns } from './signs.ts'
import { words } from './words.ts'

export { stemmer as STEM } from '@orama/stemmers/english'

// Split by subject: one file would exceed the limit of 400 lines.
export { KIND_CUES } from './en/kinds.ts'
export { COURTESIES, LETTER_SIGNS } from './en/letters.ts'
export {
  ACRONYMS,
  DETAIL_SIGNS,
  IMPERATIVES,
  LEAD_INS,
  NAME_REWRITINGS,
  NEGATIONS,
  READABILITY_SIGNS,
  SHORT_TITLE_REWRITINGS,
  TITLE_REWRITINGS,
  TITLE_SIGNS,
  TITLE_SPELLINGS,
  VERBS,
} from './en/naming.ts'
export {
  FALSE_FRIENDS,
  LABEL_CUES,
  MEASURE_SIGNS,
  MEASURE_WORDS,
  META_WORDS,
  OPTION_SIGNS,
  PROBLEM_LABELS,
  REQUEST_LABELS,
  SIGN_IN_PARTICLES,
  SIGN_IN_SPELLINGS,
  TAG_SIGNS,
} from './en/tagging.ts'
export { TONES } from './en/tones.ts'

/** Words that say nothing about the subject of a sentence. */
export const STOPWORDS = words(
  `i me my we our us you your he she it its they them their this that these those a an the and or but if then so
  because as of at by for with about into to from in on off out up down over again is am are was were be been being
  have has had having do does did doing done can could will would shall should may might must not no only own same too
  very just now im ive id ill youre weve theyre whats thats dont cant doesnt didnt isnt wont wasnt there here what
  which who when where why how all any both each more most other some such than please tell need want like get got let
  know make also one since still every hi hello thanks thank hey 0 today tomorrow yesterday week day morning month
  time year always never back after before anyone everyone else team customer customers people lot really much many
  thing way two three first last next new use using used try trying tried see think say says said go goes going come
  look looks take happen happens work works working`,
)

/** Stop words that carry meaning when written like this: `ID`, which the list takes for `I'd`. */
export const STOPWORD_HOMOGRAPHS = { id: /\bIDs?\b/ }

/** After these words comes a noun, with or without what describes it. */
export const NOUN_LEADS = words(
  `a an the my our your their his her its this that these those any each every no all some another of in for on with from by at
  into via between per about without both`,
)

/** Nouns that say too little to name a theme, and words that are often taken for nouns. */
export const VAGUE_NOUNS = words(
  `cent cents euro euros dollar dollars second minute hour day week weekend month quarter year time times date today tomorrow
  monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september
  october november december page site company customer client user people person colleague everyone everybody team staff
  manager boss business thing things stuff way lot bit kind sort type part piece side end start begin beginning line top
  bottom middle rest number amount total example case point fact reason idea change work morning evening night latest last
  next new old good bad best better right wrong same different big small long short high low first second whole only real
  sure able nearest closest run come take takes even while thank hello version place world home office name word detail
  details option one none half couple pair set list item maximum minimum`,
)

/** The most common words, for language detection, without those that are content words in another language. */
export const COMMON_WORDS = words(
  `the is are was a an and or to of in on for with my your i you it we this that not do does have has can how what why
  when there be at from if im me about some please our would should could`,
)

/** Words of chit-chat. None may be the subject of feedback. */
export const CHAT_WORDS = words(
  `a ah aha ahh all alright amazing an and anytime appreciate appreciated are at awesome aw aww back bad be beautiful
  been best bless brilliant brb bye byebye cheers clear congrats congratulations cool cu cya da day dear done enjoy
  evening ever everybody everyone excellent exactly fab fabulous fantastic fine folks for friday friends fun fyi fya
  ftw glad good goodbye goodnight got gotcha great guys ha haha hahaha happy have hear hello hey hi hiya hmm hooray
  hope how hurray i ill im in indeed is it its ive just k kk kudos later legend long lmao lol lovely lunch luv ma many
  mate me merci monday morning much my n na nah neat never nice night nm no nope not np nvm of off oh ok okay okey omg
  one onto oops ooh our out perfect pleasure please pls plz pretty rofl right roger same see sec shortly sir so soon
  sorry sounds sup super sure sweet ta tbh team thank thanks thanx that thats the there this thursday thx till tmrw to
  today tomorrow tonight too tuesday ty tysm u up ur very wait was wednesday week weekend welcome well wfm whoa whoop
  will wonderful woo woohoo wow ya yall yay yea yeah yep yes yikes you your youre youve yup works worries`,
)

/** Words that may occur in "us too". */
export const AGREEMENT_WORDS = words(
  `1 100 1000 10 0 plus same here too also we us i me this that exactly agreed agree ditto likewise indeed yes yep yeah
  yup for with at our my have see seeing seen get getting here's it is a an the problem issue bug thing one story
  experience affected us second so very much and still confirm confirmed can are were do just hitting happens
  happening every day week`,
)

/** Words that express agreement. */
export const AGREEMENT_CUES = words(
  `same too ditto agree agreed likewise confirm confirmed second this exactly affected plus 0 1 100`,
)

/** Words that occur in automatic replies, thanks and channel notices. */
export const NOISE_PATTERN_WORDS = words(
  `thanks thank thx cheers kudos closed close sorted good automatic auto autoreply out channel group conversation
  workspace joined left`,
)

/** Parts of thanks, automatic replies and channel notices, see `text/noise.ts`. */
export const NOISE_SIGNS: NoiseSigns = {
  interjection:
    /(?:ha){2,}h?|(?:lo)+l+|h+m+|a+w+|o+h+|y+a+y+|w+o+w+|e+h+|ah+|oo+ps|ye+s+|no+|ok+|he+y+|hi+|so+|thx+|than(?:k|x)s?|lmf?ao+|xd+|x+/,
  greeting: /hi|hello|hey/,
  addressee: /all|team|everyone|folks/,
  degree: /many|big|huge/,
  thanks: /thanks|thank you|thx|cheers|kudos/,
  agreement:
    /same(?! (?:to you|time|day|goes))|me too|us too|ours too|mine too|here too|ditto|likewise|plus one|seconded|(?:i |we )?can confirm|another vote|also (?:affects|happens|here|for|with|at|on|us|me)|(?:\S+ ){0,3}(?:here|(?:for|with|at) (?:us|me|ours)) (?:as well|too)/,
  addition: /also/,
  beforeAgreement: /yes|yep|yeah|yup|oh|ah|hm+|hi|hey|lol/,
  resolved: /(?:ticket|case|issue|it) can be closed|close (?:the|this|my) (?:ticket|case)|all sorted|all good now/,
  autoReply: /automatic reply|auto ?reply|out of (?:the )?office/,
  objection:
    /but|however|although|still|again|not|cant|cannot|dont|doesnt|isnt|wont|didnt|never|wrong|missing|broken|fails?|failing|error|slow|please|(?:can|could|would) (?:you|we|i)|how|why|when|need|wish/,
  place: /channel|group|conversation|workspace/,
  channelNotice:
    /(?:\S+ ){0,4}(?:has |have |was |were )?(?:joined|left|added to|removed from|renamed|archived|unarchived|pinned a message|set the (?:channel )?(?:topic|purpose|description))\b.{0,80}/,
  replyPrefix: /re/,
  memberNotice: /(?:has )?(?:joined|left)/,
}

/** Words of each intent cue, see `text/intents.ts`. */
export const INTENT_CUES: Readonly<Record<string, readonly string[]>> = {
  '!not': words(
    `not no never cannot cant dont doesnt didnt isnt wont wasnt arent couldnt wouldnt hasnt havent unable without
    nothing none`,
  ),
  '!cost': words(
    `fee fees charge charges charged charging cost costs price prices pricing discount discounts pay paid free extra`,
  ),
  '!get': words(`get getting order ordering request requesting obtain receive apply create buy`),
  '!on': words(
    `add added adding append include insert enable enabling activate activating connect connecting link sync pair
    paired subscribe`,
  ),
  '!off': words(
    `remove removed removing delete deleted deleting erase clear cancel canceled cancelled cancelling disable disabling
    deactivate deactivating disconnect disconnected unlink unpair unsync unsubscribe uninstall stop stopping close
    closing terminate`,
  ),
  '!up': words(`increase increased increasing raise raising higher louder brighter`),
  '!down': words(`decrease decreased decreasing reduce reducing lower lowering quieter dimmer`),
  '!next': words(`next upcoming coming`),
  '!last': words(`last previous latest`),
  '?why': words(`why reason`),
  '?where': words(`where`),
  '?when': words(`when`),
  '?who': words(`who whom whose`),
  '?which': words(`which`),
  '?what': words(`what whats`),
  '?how': words(`how`),
}

/** What a text asks for, see `text/intents.ts`. */
export const INTENT_SIGNS: IntentSigns = {
  problemStem:
    /troubl|difficult|problem|issue|fail|declin|reject|refus|den(?:y|ied)|broke|crash|error|stuck|miss|wrong|incorrect/,
  directionalVerb: /turn|turned|turning|switch|switched|switching|put|shut|take|cross|crossed|power|toggle/,
  howTo:
    /what(?:(?:'s| is| are) the (?:\w+ )?(?:ways?|methods?|procedures?|process|steps)\b| (?:do|must|should|can|would) (?:i|we|you|one) (?:(?:need|have) to )?do to )/,
  requestOpening: /(?:can|could|would|will) you/,
  dateUnit: /second|minute|hour|day|night|week|weekend|month|quarter|year|spring|summer|autumn|fall|winter/,
  weekday: /(?:mon|tues|wednes|thurs|fri|satur|sun)day/,
}

/** The cue of each particle of a directional verb. */
export const DIRECTION_PARTICLES = { on: '!on', off: '!off', up: '!up', down: '!down' }

/** Words that begin a yes-or-no question. */
export const YES_NO_STARTERS = words(`is are am was were do does did can could will would may has have should`)

/** Words that ask for a figure after `how`. */
export const HOW_MEASURES = words(`much many long often far old big soon fast quickly`)

/** After these, `how` asks what something is like. */
export const COPULAS = words(`is are was were am`)

/** Signs of a problem, with their weights. */
export const PROBLEM_SIGNS: readonly (readonly [weight: number, sign: RegExp])[] = [
  [
    2,
    /\b(?:broken|breaks|broke|crash\w*|fail\w*|errors?|bugs?|buggy|glitch\w*|freez\w*|froze\w*|hangs|hanging|stuck|dies|died|dead|wrong|wrongly|incorrect\w*|corrupt\w*|missing|lost|loses|losing|vanish\w*|disappear\w*|gone|blank|empty|twice|doubled?|duplicat\w*|rejected|refused|denied|declined|stopped|stops|mismatch\w*|garbled|unusable|unreadable|unreliable|unresponsive|stutter\w*|halts|halted|slow|slowly|lags?|laggy|timeouts?|timed out|times out|forgets|forgot|skipped|skips|ignored|ignores|resets?|reappears?|outage|invalid|expired)\b/g,
  ],
  [
    2,
    /\b(?:can['’]?t|cannot|can not|won['’]?t|will not|would not|wouldn['’]?t|does not|doesn['’]?t|did not|didn['’]?t|couldn['’]?t|could not|no longer|not working|never (?:arriv\w*|com\w+|show\w*|load\w*|work\w*|get\w*|reach\w*|happen\w*)|takes? (?:forever|ages|minutes)|by (?:itself|themselves)|out of sync|locked out|off by|keeps? \w+ing|instead of the)\b/g,
  ],
  [
    1,
    /\b(?:not|never|too late|too early|again|still|suddenly|isn['’]?t|aren['’]?t|nothing|unable|since (?:the|last) \w+)\b/g,
  ],
]

/** Signs of a request, with their weights. */
export const REQUEST_SIGNS: readonly (readonly [weight: number, sign: RegExp])[] = [
  [
    2,
    /\bwould (?:really |also |very much |just |definitely )?(?:love|like|help|save|appreciate|prefer|be (?:so |really |very |a )?(?:nice|great|lovely|helpful|useful|handy|good|perfect|wonderful|amazing|awesome|cool|ideal|convenient|huge))\b/g,
  ],
  [
    2,
    /\b(?:we['’]?d|i['’]?d) (?:really |also )?(?:love|like|appreciate)\b|\b(?:i|we) wish\b|\bwish (?:i|we|you|there|it)\b|\bany (?:chance|plans?)\b|\byou plan(?:ning)?\b|\bplans? (?:for|to)\b|\bon (?:the|your) roadmap\b|\bfeature request\b|\babilit(?:y|ies) to\b|\boptions? to\b|\ba way to\b|\bpossib(?:le|ility) (?:to|of)\b|\bwhen (?:will you|can we|are you)\b/g,
  ],
  [
    2,
    /\b(?:please|pls|could you|can you|would you|why not|you should|kindly)(?: also| maybe| at least)? (?:add|support|offer|include|allow|let|give|consider|introduce|provide|implement|bring|build|enable|make it)\b/g,
  ],
  [2, /\bcould (?:we|there|it|they|\w+ \w+) (?:be|have|get)\b|\b(?:can|could|may) we (?:have|get)\b/g],
  [
    1,
    /\b(?:please|need|needs|want|wants|wanted|hope|hoping|insists?|suggest\w*|proposal|idea|let (?:me|us|\w+s)|it would|that would|looking for|instead of having|automatically|optional|customi[sz]\w*|own|support for)\b/g,
  ],
]

/** Phrases that ask for something. */
export const REQUEST_PHRASES =
  /wants?|wanted|needs?|needed|would like|i['’]d like|we['’]d like|help me|help us|have to/u
