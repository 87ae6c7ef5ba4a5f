import { words } from './words.ts'

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

/** Words about feedback itself or about tagging. */
export const META_WORDS = words(
  `feedback insight insights issue issues problem problems message messages mention mentions mentioned mentioning
  mentioned ticket tickets thing things something anything everything nothing someone somebody anybody nobody
  everybody product products tag tags tagged value values option options set true false yes applies apply fits fit
  belongs belong related relates relate concern concerns concerning regarding talk talks talking speak speaks speaking
  complain complains complaint complaints complaining ask asks asked asking user users client clients account accounts
  part parts kind type sort such example instance etc whether while during without than like otherwise rather whatever
  someone's their part-of matter matters stuff topic topics subject subjects affects affect affected including include
  includes whose goes wrong doing`,
)

/** Words that may describe a measure. */
export const MEASURE_WORDS = words(
  `share shares percent percentage proportion portion fraction number count counts many often total growth growing grow
  grows grew trend increase increased change changes rate week weeks weekly per over days customer customers people
  person persons user users client clients mention mentions mentioned message messages times ticket tickets report
  reports reported complaint complaints feedback insight insights issue issues topic problem since ago passed old age
  seen heard raised wrote written talked spoke asked ask complained affected distinct different unique separate
  individual received stored far ever past previous current running given single among amongst across altogether
  overall compared comparison versus vs against seven figure decimal place rounded whole calculated computed measured
  expressed shown value it's share's workspace together channel channels source sources newest latest latest recent
  recently appeared began started counted each every everything said quickly fast strongly`,
)

/** Words that begin a yes-or-no question. */
export const YES_NO_STARTERS = words(`is are am was were do does did can could will would may has have should`)

/** Labels for problems. */
export const PROBLEM_LABELS = words(
  `bug bugs defect defects error errors problem problems fault faults failure failures broken trouble incident
  incidents`,
)

/** Labels for requests. */
export const REQUEST_LABELS = [
  'feature request',
  'feature requests',
  'feature',
  'features',
  'new feature',
  'request',
  'requests',
  'wish',
  'wishes',
  'idea',
  'ideas',
  'enhancement',
  'enhancements',
  'improvement',
  'improvements',
  'suggestion',
  'suggestions',
]

/** Words of each intent cue, see `intents.ts`. */
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

/** Acronyms to be capitalised. */
export const ACRONYMS = words(
  `csv pdf api sso saml vat ui ux url html json ios atm pin sms faq iban eur usd gbp nok chf crm erp sla gps usb vpn
  dns 2fa mfa otp qr id xml sql http https pto tv apr irs w2 nfc ach`,
)

/** Different words that the stemmer conflates. */
export const FALSE_FRIENDS = words(`important importance general generally several police organ news`)

/** Courtesies and filler sentences, as whole sentences. */
export const COURTESIES: readonly RegExp[] = [
  // well-wishes
  /(?:(?:i|we) (?:really )?)?(?:hope|trust) (?:that )?(?:you|this|all|everything|everyone|your|things)\b.*\b(?:well|fine|safe|great|good|okay|week|weekend|day)\b.{0,20}/,
  /(?:i )?wish(?:ing)? you (?:all|an?|the|and) .*|have a (?:nice|good|great|lovely|wonderful) .*/,
  // thanks, excuses, regards
  /(?:many thanks|thanks|thank you|thx)(?: (?:so|very) much| a lot| a million| again| in advance| everyone| all| guys| team)*(?: for (?:the|your|all|any|all your|all the)? ?(?:quick |fast |prompt |kind |great |speedy )?(?:repl(?:y|ies)|responses?|answers?|help|support|time|patience|understanding|assistance|feedback|messages?|e-?mails?|attention|consideration|info(?:rmation)?)\b.*)?/,
  /(?:(?:i'm|i am|we're|we are) )?(?:so |really |very )?sorry (?:to (?:bother|trouble|disturb)|for (?:the|any|bothering|my|not)|about (?:the|any)) .*/,
  /(?:kind|best|warm|kindest|warmest) (?:regards|wishes).*|cheers.{0,20}|(?:yours )?sincerely.{0,30}/,
  // requests for a reply
  /(?:(?:i|we)(?:'m| am|'re| are)? )?look(?:ing)? forward to .*/,
  /(?:please |pls |kindly )?(?:let (?:me|us) know|get back to (?:me|us)|reply(?: to (?:me|us))?|respond(?: to (?:me|us))?|contact (?:me|us)|call (?:me|us)(?: back)?|reach out(?: to (?:me|us))?|advise|update (?:me|us))(?: (?:asap|soon|today|urgently|as soon as (?:possible|you can)|at your (?:earliest )?convenience|your thoughts|what you think|if (?:you (?:need|have|require|want)|there(?:'s| is| are)) (?:any|some|more|further|additional|other|to know).*|please|on this|by (?:e-?mail|phone)))*/,
  /(?:any|some|your|a quick|a fast) (?:help|advice|ideas?|suggestions?|updates?|answer|repl(?:y|ies)|response|assistance|guidance|news|input)(?: (?:on|with|about) (?:this|that|it))?(?: (?:is|are|would be|will be) (?:much |greatly |very |highly |really )?(?:appreciated|welcome|great|nice|helpful|good|awesome|wonderful))?/,
  /(?:(?:i|we)(?:'d| would) )?(?:really |much |greatly |highly )?(?:appreciate|be (?:grateful|thankful|happy|glad))(?: (?:it|this|that|(?:for )?(?:any|your|some|an?) (?:quick |fast |prompt |kind )?(?:help|advice|assistance|support|reply|response|answer|feedback|updates?|guidance|suggestions?|insight)\b.*|(?:it )?if you (?:could|can|would) (?:please )?(?:help|look|check|get back|assist|respond|reply|advise)\b.*))?(?: (?:very|so) much| a lot)?/,
  // requests for help
  /(?:please |pls )?(?:can|could|would|will) (?:you|u|someone|anyone|somebody|anybody)(?: guys)?(?: (?:please|pls|possibly|maybe|kindly))* (?:help|assist|advise|look into (?:this|it)|take a look(?: at (?:this|it))?|check(?: (?:this|it))?|fix (?:this|it)|explain(?: (?:this|it|why))?)(?: (?:me|us))?(?: (?:out|here|with (?:this|that|it|the)(?: (?:matter|issue|problem|request|one))?))?(?: (?:please|asap|soon|today))?/,
  /(?:please |pls )(?:help|assist|advise|fix)(?: (?:me|us|this|it|asap|urgently|soon|with (?:this|it)))*/,
  /(?:(?:i|we) )?(?:really )?(?:need|want|would like|could use) (?:some |your |any |urgent )?(?:help|assistance|support|advice)(?: (?:with (?:this|that|it|something)|please|here|asap|urgently))*/,
  /(?:(?:i|we) )?(?:just )?(?:have|had|got|'ve got|have got) (?:a|an|one|two|three|some|a few|a couple of|another) ?(?:quick |small |short |general |simple )?(?:questions?|problems?|issues?|requests?|concerns?|suggestions?|ideas?)(?: (?:for you|here|please|today|about (?:this|something|my account|the app|your (?:app|product|service))))*/,
  /(?:(?:i|we)(?:'m| am|'re| are) )?(?:writing|contacting you|reaching out|getting in touch|e-?mailing|messaging)(?: (?:to )?you)?(?: (?:today|again|now))*(?: (?:about|because|regarding|concerning|with|as|for|since) (?:(?:i|we) (?:have|need|want) )?(?:an?|some|the|my|our|this|several)? ?(?:\w+ )?(?:issues?|problems?|questions?|matters?|help|concerns?|requests?)(?: (?:with|about|on|in|concerning) (?:my|our|the|your|this) (?:account|app|product|service|software|tool|system|platform|website))?)?/,
  /(?:this|it)(?:'s| is| has become| has been) (?:really |very |quite |extremely |rather |so |getting |super |a bit )*(?:urgent|important|annoying|frustrating|critical|unacceptable|disappointing)(?: (?:for|to) (?:me|us))?/,
  // who is writing, on what device, what was tried
  /(?:(?:i|we)(?:'ve| have) been|(?:i|we)(?:'m| am|'re| are)) (?:an? )?(?:loyal |happy |long-?time |paying |new |regular |big )*(?:customers?|users?|clients?|subscribers?|members?|fans?)(?: (?:of|with) (?:you|yours|your \w+|the \w+))?(?: (?:since|for) .*)?/,
  /(?:my|our|the) (?:account |user |login |company )?(?:e-?mail|user ?name|user id|account id|account number|order number|customer number|phone number|ticket number|reference)(?: address| number)? (?:is|are|:).*/,
  /(?:(?:i|we)(?:'m| am|'re| are)?|(?:my|our) (?:device|phone|browser|system)) (?:use|using|on|run|running|have|own|is) (?:an? |the )?(?:latest )?(?:iphone|ipad|android|samsung|galaxy|pixel|mac|macbook|windows|linux|chrome|firefox|safari|edge|ios|version)\b.{0,40}/,
  /(?:(?:i|we)(?:'ve| have)? )?(?:already |also |even )*(?:tried|try) (?!.*\b(?:but|and|not|however)\b|.*n't\b)(?:to )?(?:restart|reboot|reinstall|re-install|refresh|clear|log(?:ging)? (?:out|in)|sign(?:ing)? (?:out|in)|updat|delet|uninstall|turn(?:ing)? it off|several times|everything|a different|another|other|different|two|three)\w*\b.*/,
  /(?:(?:i|we)(?:'ve| have)? )?(?:already |also |even )*(?:checked|searched|read|looked (?:at|through|in|into|for)|went through|consulted) (?:the |your |all the |all )?(?:help|docs?|documentation|faqs?|knowledge base|forums?|website|site|manual|guides?)\b.*/,
  // attachments, calls for a fix, when it began, general praise
  /(?:please |pls )?(?:see|find|check) (?:the )?(?:attached|attachments?|enclosed|screenshots?)\b.{0,60}|(?:(?:i|we)(?:'ve| have)? )?(?:attached|attach|enclosed|uploaded|included) (?!.*\b(?:but|and|not)\b|.*n't\b)(?:an?|the|some|my|two) (?:screenshots?|files?|photos?|pictures?|images?|logs?|videos?|recordings?)\b.*|(?:screenshots?|photos?|logs?|video) (?:is |are )?(?:attached|enclosed|below)/,
  /(?:please |pls |kindly |can you |could you )*(?:resolve|sort(?: out)?|fix|escalate|investigate|address|handle|look into|solve) (?:this|it|that|these|my|the)(?: (?:issues?|problems?|matter|bug|requests?|tickets?|out))?(?: (?:for (?:me|us)|asap|soon|quickly|as soon as .*|today|urgently|immediately|please|now))*/,
  /(?:(?:i|we)(?:'m| am| are|'re) )?(?:still )?(?:waiting for|awaiting) (?:your|an?|any|some) (?:quick |prompt |kind )?(?:repl(?:y|ies)|response|answer|feedback|update|news|call)\b.{0,12}/,
  /(?:what|how) (?:should|can|do|must|could|shall) (?:i|we) (?:do|fix|solve|resolve|proceed|handle)(?: (?:this|it|that|about (?:this|it|that)|now|next|here|in this case|the (?:issue|problem)|with this))*/,
  /(?:i|we) (?:do not|don't|dont) (?:know|understand) (?:what to do|what(?:'s| is) (?:wrong|going on|happening)|why|what happened|how to (?:fix|solve|resolve) (?:this|it))(?: (?:here|anymore|now|next))*/,
  /(?:(?:i'm |i am )?not sure|i don't know) (?:if|whether) (?:this|it|i)(?:'s| is|'m| am)? (?:in |at |posting )?(?:a known|the right|the correct|the best) .{0,30}/,
  /(?:first of all,? |firstly,? |overall,? |otherwise,? )?(?:(?:i|we) (?:really |absolutely |just )?(?:love|like|enjoy) (?:using )?(?:the|your|this) (?:app|product|tool|service|software|platform)|(?:great|good|nice|awesome|amazing|excellent) (?:app|product|tool|service|software|platform|job|work))(?: (?:otherwise|so far|a lot|very much|overall|in general|by the way|guys|team))*/,
  /(?:(?:i|we) )?(?:just )?(?:wanted|want|would like|'d like) to (?:flag|report|mention|share|raise|ask(?: about)?|check|let you know(?: about)?) (?:something|an? (?:issue|problem|bug|question)|this|some feedback|a few things)(?: (?:to your attention|here|with you))*/,
  /(?:i|we)(?:'m| am|'re| are|'ve| have)? (?:just |recently |been )*(?:notic(?:ed|ing)|found|discovered|encounter(?:ed|ing)|ran into|running into|experienc(?:ed|ing)|having|facing|seeing) (?:something|an?|some|the following) ?(?:odd|strange|weird|small|big|little|annoying|serious)? ?(?:issues?|problems?|bugs?|errors?|things?)?(?: (?:today|here|recently|with (?:the|your|my) (?:app|product|account|website|service|software|tool)))*/,
  /(?:it|this)(?:'s| is| has been| has)? (?:really |seriously |badly |negatively )?(?:affect|impact|block|hurt|delay)(?:s|ing|ed)? (?:my|our|me|us)\b.{0,40}/,
  /(?:it|this) (?:has )?(?:started|began|(?:been )?happening|happened)(?: (?:yesterday|today|this|last|since|on|a few|two|three|again)\b.{0,30})?/,
  /much appreciated|no rush|take care|all the best|talk soon|speak soon|(?:quick|one|short|small|simple) (?:one|question|thing|note|request)(?: for you| here)?|(?:hello|hi|hey)(?: again| there| all| everyone| team)*/,
]

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

/** Words by which a tag asks for a measure, see `measures.ts`. */
export const MEASURE_SIGNS = {
  share: /shares?|percent|percentage|proportion|portion|fraction/,
  growth: /growth|growing|grows?|grew|trend|increase|increased/,
  week: /weeks?|weekly|7 days|seven days/,
  count: /number|count|counts|how many|how often|total/,
  people: /customers?|people|persons?|users?|clients?/,
  mention: /mentions?|mentioned|messages?|times|tickets?|reports?|reported|complaints?|feedback|how often/,
  days: /days/,
  since: /since|ago|passed|old|age/,
  first: /first|began|started|appeared|old|age|new/,
  otherTime: /months?|monthly|quarters?|quarterly|years?|yearly|today|yesterday|hours?/,
} as const

/** Parts of thanks, automatic replies and channel notices, see `noise.ts`. */
export const NOISE_SIGNS = {
  greeting: /hi|hello|hey/,
  addressee: /all|team|everyone|folks/,
  degree: /many|big|huge/,
  thanks: /thanks|thank you|thx|cheers|kudos/,
  resolved: /(?:ticket|case|issue|it) can be closed|close (?:the|this|my) (?:ticket|case)|all sorted|all good now/,
  autoReply: /automatic reply|auto ?reply|out of (?:the )?office/,
  objection:
    /but|however|although|still|again|not|cant|cannot|dont|doesnt|isnt|wont|didnt|never|wrong|missing|broken|fails?|failing|error|slow|please|(?:can|could|would) (?:you|we|i)|how|why|when|need|wish/,
  place: /channel|group|conversation|workspace/,
  channelNotice:
    /(?:\S+ ){0,4}(?:has |have |was |were )?(?:joined|left|added to|removed from|renamed|archived|unarchived|pinned a message|set the (?:channel )?(?:topic|purpose|description))\b.{0,80}/,
} as const

/** Grammar of tag descriptions, see `plan.ts` and `options.ts`. */
export const TAG_SIGNS = {
  exclusion: /,\s*not|\s+(?:but\s+not|and\s+not|except(?:\s+for)?|excluding|other\s+than)/,
  conjunction: /or|and|such as|like|when|if|because/,
  condition: /when|whenever|if|for|means|is when|is for/,
  example: /\be\.g\.|\bfor example|\bfor instance|\bsuch as|\blike/,
  grade:
    /high|highest|medium|mid|middle|low|lowest|normal|average|small|large|big|short|long|good|bad|positive|negative|neutral|mixed|yes|no|new|old|other|others|none|misc|miscellaneous|unknown|general|various/,
} as const
