import type { DetailSigns, ReadabilitySigns, TitleSigns } from '../signs.ts'
import { words } from '../words.ts'

/** How a sentence becomes a title, see `naming/titles.ts`. */
export const TITLE_SIGNS: TitleSigns = {
  greeting:
    /hi|hello|hey|dear|good (?:morning|afternoon|evening|day)|(?:morning|afternoon|evening)(?= (?:all|team|everyone|everybody|folks|guys)\b|\s*[,!])/,
  addressee: /there|all|team|everyone|everybody|folks|guys|support/,
  filler: /ok(?:ay)?|so|well|and|but|also|just|fyi|btw|again|anyway|um|uh|yes|yeah|no(?=\s?[,;:.!–—-]| i\b)|re|fwd?/,
  kindLabel:
    /feature request|request|bug(?: report)?|question|issue|urgent|feedback|suggestion|idea|problem|subject|title|topic/,
  please: /please|pls|plz|kindly/,
  apology: /sorry|excuse me|thanks|thank you/,
  apologyLink: /but/,
  hedge:
    /it (?:seems|looks|appears)(?: like| that| as if)?|i (?:think|believe|guess|noticed|see|feel like)(?: that)?|(?:(?:i|we)(?: have|'ve)? )?(?:just )?(?:noticed|realised|realized|discovered|found out) that|(?:i|we) find that|(?:it )?turns out(?: that)?|apparently|unfortunately|basically|honestly|actually|hopefully|maybe|perhaps|overall|personally|(?:right now|currently|now|today|yesterday|lately|recently|these days|this (?:morning|week|month)|last (?:week|night|month)|(?:mon|tues|wednes|thurs|fri|satur|sun)day)(?=,? (?:i|we|i'm|i've|i'd|we're|the|my|our|your|you|there|no)\b)/,
  attribution:
    /(?:(?:[Tt]he|[Oo]ur|[Mm]y|[Ss]ome|[Mm]any|[Ss]everal|[Aa]ll|[Tt]wo|[Tt]hree|[Aa]n?) (?:\p{Ll}+ ){0,2}(?:customers?|clients?|users?|people|colleagues?|members?|staff|boss|teams?|leads?|managers?|admins?)|(?:[Cc]lients|[Cc]ustomers|[Uu]sers|[Pp]eople|[Cc]olleagues|[Mm]embers|[Ee]very(?:one|body))|\p{Lu}[\p{L}\d&.'-]*(?: (?:firm|agency|company|office|client|customer))?(?: (?:&|and|of|\p{Lu}[\p{L}\d&.'-]*)){0,4}(?: \p{Ll}+)?) (?:says?|said|complains?|complained|reports?|reported|mentioned|noticed|tells? us|told us)(?: that|:)? (?=\p{L}+ )/u,
  reportingVerb: /sa(?:ys?|id)|complain|report|mention|notic|tells? us|told us/,
  questionStart: /what|where|when|why|how|who|which|is|are|do|does|did|can|could|will|would|should/,
  trailer:
    /please|pls|plz|thanks|thank you|thx|asap|for me|right now|at the moment|if possible|if you can|what (?:should|can|do) (?:i|we) do(?: now)?|you know|anyone|any ideas?|as well|too|for us|(?:any|some)(?:one|body) else|(?:can|could|will) (?:you|someone|anyone) (?:please )?help(?: (?:me|us))?(?: out)?|any help|help|lol|btw|though|tho|or what|again please|with me|to me|why (?:do|don't|dont|can't|cant|won't|wont) (?:you|u|they|we|i)/,
  connector:
    /because|but|so that|so|(?<!\bever )since|(?=which\b)|although|though|while|whereas|even though|as if|and (?:it|now|then|(?=(?:i|we|there|the|my)\b))/,
  preposition: /for|at|in|on|to|from|with|by|of|near|until|between|during|since|under|via|as|into|onto/,
  circumstance: /when|whenever|after|before|while|once|if/,
  clauseSubject: /i|we|you|it|they|the|my|our/,
  dangling:
    /a|an|the|of|to|in|on|at|for|with|by|from|and|or|but|if|is|are|was|were|my|your|our|their|that|this|as|than|when|while|because|i|we|it's|can|could|do|does|will|would|have|has|just|not|no|all|any|some|so|very|been|be|get|got|i'm|i'd|about|into|based|due|such|only|according|depending|than|then|where|which|who|even|turn|turns|when|want|wants|need|needs|like|make|makes|made|let|lets|going|trying|able|don't|doesn't|can't|cannot|won't|didn't|isn't|wasn't|too|really|also|still|only|put|says|feel|think|hope|i've|we've|being/,
  predicate:
    /(?:is|are|was|were|has|have(?! to| been)|had|will|would) (?!(?:i|you|u|we|it|they|he|she|there|this|that|any\w*|some\w*|every\w*|people)\b)/,
  neverLast:
    /a|the|of|and|or|but|if|my|your|our|their|than|when|while|because|i|we|it's|is|are|am|was|were|be|would|could|should|will|i'm|i'd/,
  abbreviation: /approx|e\.g|i\.e|vs|mr|mrs|dr|incl/,
  replyPrefix: /re|fwd?/,
  capitalPronoun: /i(?:'(?:m|d|ll|ve|s))?/,
}

/** Openings of a sentence that its title leaves out. */
export const LEAD_INS: readonly RegExp[] = [
  /^(?:can|could|would) (?:you|u|someone|anyone|somebody|anybody)(?: guys)?(?: (?:please|pls|possibly|maybe|kindly))* (?=\w)/i,
  /^will (?:you|u|someone|anyone|somebody|anybody)(?: guys)?(?: (?:please|pls|possibly|maybe|kindly))+ (?=\w)/i,
  /^(?:can|could|may|might) i (?:please )?(?:ask|know|get some help with)\b[\s,]*/i,
  /^(?:i(?:'d| would) (?:like|love)|i(?:'m| am) (?:trying|wanting|looking)|i(?: really)? (?:want|need|wish)|id like|i wanna|i gotta|i have) (?:you )?to (?:know|find out|understand|ask|hear)(?: about)? /i,
  /^(?:i(?:'d| would) (?:like|love)|i(?: really)? (?:want|need)|i wanna|id like) (?:for )?you to /i,
  /^you (?:need|have|ought) to (?:tell|show|give|help) (?:me|us) /i,
  /^(?:do|does|did|would|might) (?:you|u|anyone|anybody|someone) (?:happen to )?(?:know|have any (?:idea|clue))(?: if| whether)? /i,
  /^(?:(?:tell|show|give|remind|teach|explain to|let) (?:me|us) (?:know |about |please |again )?)(?=(?:what|how|why|when|where|which|who|if|whether|the|my|about|some|all|a)\b)/i,
  /^know (?:about )?(?=(?:what|how|why|when|where|which|who|if)\b)/i,
  /^(?:i was wondering|i wonder|i'm wondering|wondering|i am curious|i'm curious|i'm not sure|i don't (?:know|understand)|not sure|any (?:idea|clue|chance|reason))\b(?: about| as to)?[\s,]*(?:if|whether)?[\s,]*/i,
  /^(?:help (?:me )?(?:to )?(?:find out|figure out|understand)|i need help (?:with |finding |to )?|help me (?:to |with )?|explain|check)\b (?!me\b|us\b|to\b)(?=\w)/i,
  /^(?:quick|one|short|small) (?:question|thing|note)[\s,:–—-]*/i,
  /^(?:(?:\d{1,3}(?:st|nd|rd|th)|another|second|third|yet another|more) )?(?:reports?|tickets?|complaints?|cases?) (?:\p{L}+ ){0,2}?(?:about|of) (?=\p{L})/iu,
  /^(?:(?:i'm|i am|we're|we are|been) )?(?:still )?trying to (?=\w)/i,
  /^ever since (?:the |this |my )?(?:\p{L}+ ){0,2}?(?:update|upgrade)\b[\s,]*(?=(?:i|my|our|the|it|all|no)\b)/iu,
]

/** A word typed twice is written once, and an indirect question becomes a direct one: `what my limit is` → `what is my limit`. */
export const TITLE_REWRITINGS: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  // A word that was typed twice.
  [/\b(an?|and|at|for|from|my|of|our|the|to|with|your)(?: \1)+\b/gi, '$1'],
  [
    /^(what|who|where|when|why|how)((?: (?!(?:is|are|am|was|were|do|does|did|can|could|will|would|should|has|have|had)\b)[\w-]+){0,2}?) ((?:my|your|our|their|the|this|that|its?|i|you|we|they)\b(?: [\w'-]+){0,5}?) (is|are|am|was|were)( (?:in|on|at|for|from|with|by|of|about|like|today|now|right now|due|called|located|worth|\w+ing)\b.*)?$/i,
    '$1$2 $4 $3$5',
  ],
]

/** `how I pay` → `how to pay`. */
export const SHORT_TITLE_REWRITINGS: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/^how i (?=(?!am|was|have|had|can|could|will|would|should|might|may|do|did)\p{Ll}+\b)/iu, 'how to '],
]

/** The title that was chosen becomes a noun or verb phrase: `I want to change my name` → `change my name`. */
export const NAME_REWRITINGS: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [
    /^(?:i|we)(?: (?:still|just|also|even|literally))* (?=(?:can't|cant|cannot|can not|couldn't|could not|never)\b)/i,
    '',
  ],
  [
    /^(?:i'm|i am|we're|we are)(?: (?:still|now|also))? (?=(?:unable|locked|stuck|logged|not (?:able|getting|receiving|seeing))\b)/i,
    '',
  ],
  [/^(?:i|we)(?: (?:really|just|still|also|only|would|do))* (?:want|need|wish) to (?=(?!be|know|say|have)\w+ \S)/i, ''],
  [
    /^(?:i|we)(?:(?:'d| would)? (?:really |just |still |also )?(?:want|need|like|love)|(?: really)? (?:miss|wish for)) (?:(?:to have|for) )?(?:an? )?(?=(?!an? |to|you|it|this|that|these|those|them|when|if|my|the|all|more|help|i|we|him|her)\w+ (?!to\b)\S(?:(?! to ).)*$)/i,
    '',
  ],
  [/^how (?:do|can|would|could|should|might) (?:i|we|you|one) (?=(?!get\b|be\b|know\b|not\b)\w+)/i, 'how to '],
  [/^there(?: is|'s| are|s) (?=no\b)/i, ''],
  [/^would (?:love|like) (?:to see |to have )?(?:an? )?(?=(?!to\b)\w+ \S)/i, ''],
]

/** Words with another spelling in a title. */
export const TITLE_SPELLINGS = { ive: "I've", ios: 'iOS' }

/** Acronyms to be capitalised. */
export const ACRONYMS = words(
  `csv pdf api sso saml vat ui ux url html json ios atm pin sms faq iban eur usd gbp nok chf crm erp sla gps usb vpn
  dns 2fa mfa otp qr id xml sql http https pto tv apr irs w2 nfc ach`,
)

/** Which words of a title are details, see `naming/details.ts`. */
export const DETAIL_SIGNS: DetailSigns = {
  article: /my|our|your|the|an?|this|any/,
  openEnd:
    /me|us|him|her|them|off|up|down|out|is|are|was|were|be|been|do|does|did|a|an|the|my|your|our|and|or|but|not|need|want|have|has|had|get|got|give|like|how|what|which|why|when|where|who|can|could|will|would|should|i|you|we|status|kind|type|sort|lot|much|many|number|go|going|able|way|look|search|ask|talk|listen|change|transfer|belong|refer|take|takes|use|used|using|based|due|turn|turns|turned|according|depending|further|rather|such|only|so|if|than|because|that|while|without|within|about|through|across|where|it|keep|keeps|track|care|part|hold|sure|aware|rid|willing|instead|left|there|here/,
  joining: /and|is|are|not|no|isn't|doesn't|don't|won't|can't|cannot|never|too|very|so|their|its/,
  durationStem: /second|minut|hour|da[iy]|night|week|month|year/,
  timeStem:
    /[ap]m|(?:mon|tues|wednes|thurs|fri|satur|sun)da[iy]|januari|februari|march|april|june|juli|august|septemb|octob|novemb|decemb|noon|tonight/,
  questionStart: /what|whats|which|where|when|why|how|who|is|are|do|does|can|could|will/,
  questionWord: /what|which|where|how|who/,
  auxiliary: /do|does|did|can|could|will|would|should|must|may|might/,
  adjectiveEnding: /ed|ing|en|ly|ful|[ae]nt|us|ive|less|ble/,
}

/** How well a title or a sentence reads on its own, see `naming/readability.ts`. */
export const READABILITY_SIGNS: ReadabilitySigns = {
  problem:
    /not|n't|cannot|can't|cant|won't|wont|doesn't|doesnt|don't|dont|isn't|never|no longer|fail\w*|error\w*|broken|missing|wrong|slow|crash\w*|unable|stop\w*|lost|lose\w*|stuck|freez\w*|duplicat\w*|declined|denied|rejected|pending|late|double|twice|outdated|empty|blank|incomplete|invalid|hard|difficult|confusing|unclear|too|no|nothing|unusable|broke|why|how|need|want|add|support|allow|change|cancel/,
  otherWish: /you want|the need/,
  trailingPronoun: /it|this|that|them|these|those|one|there/,
  verbEnding: /ed|ing|n't/,
  heading:
    /complaints?|feedback|questions?|problems?|issues?|requests?|enquiry|inquiry|suggestions?|ideas?|points?|help|urgent|reminder|follow-?up|update/,
  headingModifier: /a|an|my|our|another|some|still|quick|general|small|big|one|two|three|first|second/,
  headingPreposition: /from|by|about|on/,
  bareProblem: /problems?|issues?|troubles?/,
  grammarSlip:
    /\ba \w+ed an?\b|\b(?:what|where|who|how|it|that)'s is\b|^(?:what|who|where|when|why|how) (?:is|are) .* (?:is|are)\b|\ban [bcdfgjklpqtvwyz][a-z]{2}|\ba (?!eu|one|once)[aeio][a-z]{2}/,
  pastAction:
    /(?:i|we)(?:'ve| have| had)? (?:just |already |also |then )?(?:\p{L}{2,}ed|made|did|went|sent|paid|bought|took|put|saw|tried)/u,
  stepTaken: /(?:\p{L}{3,}ed|went|tried|made|did|saw) (?:the|my|our|an?|on|in|to|it|up|from)/u,
  praiseVerb: /is|are|was|were|looks?|works?|feels?|seems?/,
  praise: /nice|great|good|fine|cool|lovely|awesome|amazing|fantastic|perfect|excellent|super/,
  contrast: /but|though|however|although|except|yet/,
  vague:
    /before|(?:the )?(?:error|message|result|reason) (?:is|was|says|reads)|about|if|whether|because|since|while|although|when (?:i|we|you)|all because|for|on|with|to|than|as|of|in|at|from|by|or|nor|only|until|unless|without|during|through|via|into|despite|due to|now that|even (?:know|tho)|after \w+ing|not(?! \w+ing\b| able| enough| allowed| available)|my recent|it|its|it's|this|that|these|those|they|he|she|which|there|here|same|also|then|because|one|another/,
  subjectless:
    /(?:is|are|am|was|were|has|have(?! to| been)|had(?! to)|will|would(?! love| like| be| prefer)|could|should) (?!(?:not|i|you|u|we|it|they|he|she|there|the|this|that|these|those|my|our|your|an?|any|any(?:one|body)|some(?:one|body)|every(?:one|body)|people)\b)/,
  anaphora:
    /\b(?:they|them|their)\b|\b(?:is|was|does|will|would|could) (?:that|this|these|those) (?:on|in|an?|the|not|normal|possible|planned|expected|intended|known|correct|right|still|be|work|works|happen)\b|\b(?:do|did|fix|correct|change|use|open|know|like|see|about|of|for|with|like) (?:that|this|these|those)$/,
  people: /customers?|clients?|users?|people|team/,
  roundabout:
    /what (?:do|should|can|must|could) (?:i|we) (?:(?:have|need) to )?do (?:if|when|since|because|about|with)|(?:i|we) (?:won't|will not)/,
  inverted:
    /\b(?:is|are|takes?|pay \w+) (?:what|where|when|how)\b|\S how (?:much|many|long|far|old|often)\b|\S (?:what|where|when|which)$/,
  indirect:
    /(?:what|where|when|why|how(?: (?:much|many|long))?)(?: (?!is|are|was|were|do|does|did|can|could|will|would|should|has|have|to|am)\w+){0,2}? (?:my|i|i'm|the|we|you|they|it)/,
  replyStart:
    /same|me too|yes|yep|yeah|no|nope|ours?|mine|us|here|ditto|agreed?|indeed|exactly|likewise|thanks?|sorry|ok|and|but|so|also/,
  possession: /(?:i|we|my \w+) (?:have|has) (?:an?|the|my|our) (?:[\w-]+ ){0,2}[\w-]+/,
  introduction: /i'm/,
  selfStart: /i|we|i'm|we're|i've|we've|i am|we are/,
}

/** Verbs and contractions: a title without any is at best a label. */
export const VERBS = words(
  `am is are was were be been what's where's when's how's it's that's there's who's whats isn't aren't wasn't don't
  doesn't didn't can't cant won't couldn't haven't hasn't do does did have has had can cannot could will would should
  may must need needs want wants wish get gets got give gives make makes made let lets allow allows go goes went come
  comes came keep keeps kept show shows see take takes took put set say says said tell know find found use uses work
  works run runs ran look looks seem seems ask asks fail fails crash crashes freeze freezes hang hangs stop stops lose
  loses lost break breaks broke forget forgets ignore ignores vanish vanishes disappear disappears appear appears jump
  jumps land lands pause pauses die dies died begin begins began start starts end ends send sends sent arrive arrives
  survive survives count counts skip skips drop drops return returns refuse refuses accept accepts cost costs pay pays
  paid bought sold told left never`,
)

/** Verbs that start an imperative title. */
export const IMPERATIVES = words(
  `add allow ask book buy call cancel change check choose clear close confirm connect convert create cut delete disable
  disconnect do download edit enable export fix flip help hide import increase let list load log lower make move open
  order pay pick place play print pull push put raise reduce remind remove rename repeat replace report reset reserve
  restore revert roll save schedule search select send set share show sign sort speak split start stop support swap
  switch sync take talk tell text track transfer translate turn undo unlink update upload use verify wake`,
)

/** Words that negate a sentence. */
export const NEGATIONS =
  /(?:no|not|never|cannot|cant|\p{L}+n't|(?:do|does|did|is|are|was|were|wo|could|would|should|has|have|had)nt|without|nothing|none|nobody|nowhere|neither|nor|hardly|barely|unable)/u
