import type { LabelCues, MeasureSigns, OptionSigns, TagSigns } from '../signs.ts'
import { phrases, words } from '../words.ts'

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

/** How people express what common labels stand for. Phrases match as consecutive words. */
export const LABEL_CUES: LabelCues = {
  bug: {
    labels: phrases(`bug, bugs, defect, error, errors`),
    cues: phrases(
      `bug, error, crash, broken, fails, failing, failed, does not work, doesnt work, do not work, dont work, not
      working, stopped working, stops working, no longer works, wont load, cannot open, cant open, freezes, glitch,
      goes wrong, wrong, rejected, denied, not possible, never arrives, doesnt arrive, dies, loses, is missing, came
      in double, timed out, gets lost, are lost, is lost, go missing, disappears, hangs`,
    ),
  },
  request: {
    labels: phrases(
      `feature request, feature requests, request, requests, wish, wishes, idea, ideas, feature, enhancement`,
    ),
    cues: phrases(
      `feature request, please add, would like, would love, wish, it would be, add support, add an option, option to,
      ability to, need a way, could you add, can you add, please support, would help, please allow, please let, let
      us, we need`,
    ),
  },
  question: {
    labels: phrases(`question, questions, how to`),
    cues: phrases(
      `how do i, how do we, how can i, how can we, how to, where do i, where can i, what is the, is there a way,
      question`,
    ),
  },
  praise: {
    labels: phrases(`praise, compliment, compliments, positive`),
    cues: phrases(
      `love it, love the, love this, love your, thank you for, great job, well done, fantastic, awesome, excellent,
      wonderful, super happy, best`,
    ),
  },
  cancellation: {
    labels: phrases(`cancellation, churn, churn risk`),
    cues: phrases(`cancel, cancelling, cancellation, switch to, switching to, leaving, leave you, competitor`),
  },
  billing: {
    labels: phrases(`billing, payments, payment, invoicing`),
    cues: phrases(`invoice, billing, billed, payment, charged, subscription, refund, receipt, credit card`),
  },
  login: {
    labels: phrases(`login, sign in, authentication, access`),
    cues: phrases(`login, password, sso, saml, authentication, two factor, locked out`),
  },
  performance: {
    labels: phrases(`performance, speed, slowness`),
    cues: phrases(`slow, slowly, latency, takes forever, loading, load time, lag, timeout, times out`),
  },
  mobile: {
    labels: phrases(`mobile, mobile app, app`),
    cues: phrases(`mobile, ios, iphone, android, phone, ipad`),
  },
  integration: {
    labels: phrases(`integration, integrations, api`),
    cues: phrases(`integration, integrations, api, webhook, connector, sync`),
  },
  export: {
    labels: phrases(`export, exports, reporting`),
    cues: phrases(`export, csv, exporting`),
  },
  import: {
    labels: phrases(`import, imports`),
    cues: phrases(`import, importing, upload`),
  },
  notification: {
    labels: phrases(`notification, notifications, emails, e-mail`),
    cues: phrases(`notification, notifications, reminder, digest, alert`),
  },
  security: {
    labels: phrases(`security, privacy`),
    cues: phrases(`security, vulnerability, privacy, gdpr, data leak`),
  },
  pricing: {
    labels: phrases(`pricing, price, cost`),
    cues: phrases(`price, pricing, expensive, costs too much, discount, too much money`),
  },
  delivery: {
    labels: phrases(`delivery, shipping`),
    cues: phrases(`delivery, delivered, shipping, shipped, courier, parcel, package arrived`),
  },
  returns: {
    labels: phrases(`returns, refund, refunds`),
    cues: phrases(`return label, returned, refund, money back`),
  },
}

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

/** Words by which a tag asks for a measure, see `measures.ts`. */
export const MEASURE_SIGNS: MeasureSigns = {
  share: /shares?|percent|percentage|proportion|portion|fraction/,
  growth: /growth|growing|grows?|grew|trend|increase|increased/,
  growthPhrase: /week[ -](?:over|on|to)[ -]week/,
  week: /weeks?|weekly|7 days|seven days/,
  count: /number|count|counts|how many|how often|total/,
  people: /customers?|people|persons?|users?|clients?/,
  mention: /mentions?|mentioned|messages?|times|tickets?|reports?|reported|complaints?|feedback|how often/,
  days: /days/,
  since: /since|ago|passed|old|age/,
  first: /first|began|started|appeared|old|age|new/,
  otherTime: /months?|monthly|quarters?|quarterly|years?|yearly|today|yesterday|hours?/,
}

/** Grammar of tag descriptions, see `tagging/plan.ts`. */
export const TAG_SIGNS: TagSigns = {
  exclusion: /,\s*not|\s+(?:but\s+not|and\s+not|except(?:\s+for)?|excluding|other\s+than)/,
  conjunction: /or|and|such as|like|when|if|because/,
  condition: /when|whenever|if|for|means|is when|is for/,
  example: /\be\.g\.|\bfor example|\bfor instance|\bsuch as|\blike/,
  grade:
    /high|highest|medium|mid|middle|low|lowest|normal|average|small|large|big|short|long|good|bad|positive|negative|neutral|mixed|yes|no|new|old|other|others|none|misc|miscellaneous|unknown|general|various/,
  degree: /very/,
  particle: /out|off|up|down|away|back/,
  lightVerb: /get|gets|getting|got|gotten|go|goes|going|gone|come|comes|coming|put|puts|putting/,
  placeParticle: /in|into|on|onto|over|through|around|along/,
  signInVerb: /log|logs|logged|logging|sign|signs|signed|signing/,
}

/** Values listed in tag descriptions, see `tagging/options.ts`. */
export const OPTION_SIGNS: OptionSigns = {
  subjectStart:
    /everything|anything|all|any|feedback|insights?|issues?|problems?|requests?|complaints?|messages?|mentions|customers|people|users|(?:customer|user)\s+(?:who|that|is|has|says|asks|cannot|wants|complains|mentions|needs)|someone|somebody|whenever|when|if/,
  subjectLead: /set|use|true|yes|tag|mark|applies|apply|is|are|it|this|an?|the|to|when|if|where|for|all|any/,
  subjectHeading:
    /everything|anything|all|any|feedback|issues?|problems?|requests?|complaints?|messages?|mentions?|reports?|insights?|people/,
  openStart:
    /which|what|whats|who|whose|how|where|kind|type|sort|area|part|team|category|categories|severity|priority|urgency|sentiment|mood|stage|language|module|component|platform|reason|cause|topic|theme|summary|sum|amount|average|total|revenue|score|rating|date|estimate|name|level|impact|tone|emotion|feeling|segment|department|owner|effort|complexity|whether/,
  listLead:
    /one of(?: the)?(?: following)?(?: values| options| areas| teams)?|one from|either|choose(?: one)?(?: between| from| of)?|pick(?: one)?(?: of| from| between)?|select(?: one)?(?: of| from)?|(?:possible |allowed )?(?:options|values|choices|categories)(?: are)?|can be|must be|whether (?:it|this|that)(?: is|['’]s)|whether (?:it|this) (?:concerns|is about)|is (?:it|this)(?: about)?|(?:classif(?:y|ied)|categori[sz]ed?|sort(?:ed)?|split|group(?:ed)?|label(?:led|ed)?)(?: [^.:;,()]{1,40}?)? (?:as|into)/,
  choiceLead: /one of|either/,
  commaSeparator: /or|and|else/,
  separator: /or|and|vs\.?/,
  lastSeparator: /or/,
  labelStart: /or|and|either|a|an|the|about/,
  labelEnd: /depending|according|by|based|for|that|which|whichever|whatever|in|on|of|from|with|if|when|it|is|are|as|so/,
  notLabel:
    /one of.*|options?|values?|default|choices?|e\.?g\.?|example|examples|note|hint|please|otherwise|important|the|this|it|and|or|also|else|issues?|problems?|insights?|feedback|mentions?|everything.*|anything.*|nothing|customers?|people|users?|set|use|only|ones?|there|they/,
  functionWord: /about|with|in|on|of|that|which|where|when|if|from|to|by|is|are|was|has|have/,
  quotedMention: /mentions?|words?|says?|phrases?|contains?|like|such as/,
  valueLead: /or|and|set|use|choose/,
  clauseConjunction: /and|or/,
  clauseCondition: /when|if|for/,
}

/** Different words that the stemmer conflates. */
export const FALSE_FRIENDS = words(`important importance general generally several police organ news`)

/** The one word for `log in` and its like, by the particle. */
export const SIGN_IN_PARTICLES = {
  in: 'login',
  into: 'login',
  on: 'login',
  up: 'signup',
  out: 'logout',
  off: 'logout',
}

/** The same for other spellings. */
export const SIGN_IN_SPELLINGS = { logins: 'login', signin: 'login' }
