/**
 * Patterns by name. A language leaves out what it has no words for. The algorithms join the patterns of all languages
 * (`alternationOfAll`) and add anchors and flags; only the source of a pattern counts.
 */
type Signs<Name extends string> = Readonly<Partial<Record<Name, RegExp>>>

/** The frame of letters and mails, see `text/prepare.ts`. */
export type LetterSigns = Signs<
  /** heading above a quoted message: `original message` */
  | 'quoteHeading'
  /** line above a quoted message: first word and verb of `On 3 May Tim wrote:` */
  | 'quoteDate'
  | 'quoteVerb'
  /** first header of a quoted mail, and the headers that may follow it */
  | 'senderHeader'
  | 'nextHeader'
  /** signature of a device or a mail program */
  | 'signature'
  /** `best regards again`: what comes before a closing, the closing, and what comes after it */
  | 'closingDegree'
  | 'closing'
  | 'closingTail'
  /** greeting and whom it may address */
  | 'greeting'
  | 'addressee'
  /** the same on its own line, without punctuation */
  | 'greetingLine'
  | 'lineAddressee'
>

/** What a text asks for, see `text/intents.ts`. */
export type IntentSigns = Signs<
  /** start of a word that names a problem */
  | 'problemStem'
  /** verb whose direction is given by a particle (`DIRECTION_PARTICLES`): `turn it off` */
  | 'directionalVerb'
  /** a question for the way to do something, without `how` */
  | 'howTo'
  /** what begins like a yes-or-no question but is a request: `can you` */
  | 'requestOpening'
  /** unit of time in the singular, without a plural `s`; name of a day */
  | 'dateUnit'
  | 'weekday'
>

/** Messages without a subject, see `text/noise.ts`. */
export type NoiseSigns = Signs<
  /** laughter, thanks and agreement in their many spellings */
  | 'interjection'
  /** parts of thanks: `hi all, many thanks` */
  | 'greeting'
  | 'addressee'
  | 'degree'
  | 'thanks'
  /** how a reply opens that agrees (`same here`), that may only add something (`also`), and what may come before */
  | 'agreement'
  | 'addition'
  | 'beforeAgreement'
  /** the request was dealt with */
  | 'resolved'
  /** automatic reply, and what may precede it */
  | 'autoReply'
  | 'replyPrefix'
  /** a sign that thanks are followed by a subject after all */
  | 'objection'
  /** where people talk */
  | 'place'
  /** notice of a chat about a place; notice after a name that needs no place: `has joined` */
  | 'channelNotice'
  | 'memberNotice'
>

/** How a sentence becomes a title, see `naming/titles.ts`. */
export type TitleSigns = Signs<
  /** greeting and whom it may address */
  | 'greeting'
  | 'addressee'
  /** filler before a sentence */
  | 'filler'
  /** kind of message before a colon: `feature request: …` */
  | 'kindLabel'
  /** courtesies before a sentence, and what may link an apology to it: `sorry, but …` */
  | 'please'
  | 'apology'
  | 'apologyLink'
  /** `it seems that …` */
  | 'hedge'
  /** who said it (`our users complain that`), and the verbs of which it has one */
  | 'attribution'
  | 'reportingVerb'
  /** first word of a question */
  | 'questionStart'
  /** clause that adds nothing after a sentence: `if possible` */
  | 'trailer'
  /** what begins another clause */
  | 'connector'
  | 'preposition'
  /** where circumstances begin: conjunction and subject of `when I open it` */
  | 'circumstance'
  | 'clauseSubject'
  /** word that a cut title must not end with; word that no sentence ends with */
  | 'dangling'
  | 'neverLast'
  /** start of a statement after its subject, which a mention may be: `is slow`, `is the worst` */
  | 'predicate'
  /** abbreviation without its final dot */
  | 'abbreviation'
  /** prefix of the subject of a replied or forwarded mail */
  | 'replyPrefix'
  /** pronoun whose first letter is a capital */
  | 'capitalPronoun'
>

/** Which words of a title are details, see `naming/details.ts`. */
export type DetailSigns = Signs<
  | 'article'
  /** word that may stand inside a phrase, besides articles and prepositions */
  | 'joining'
  /** word that leaves a title incomplete when it ends with it */
  | 'openEnd'
  /** stem of a day or an hour; of a unit of time */
  | 'timeStem'
  | 'durationStem'
  /** word that begins a question; word that asks for something */
  | 'questionStart'
  | 'questionWord'
  /** verb after which another one may follow its subject: `does the card expire` */
  | 'auxiliary'
  /** ending of adjectives and adverbs */
  | 'adjectiveEnding'
>

/** How well a title or a sentence reads on its own, see `naming/readability.ts`. */
export type ReadabilitySigns = Signs<
  /** word of a problem or a request, and where it is someone else's wish: `what do you want` */
  | 'problem'
  | 'otherWish'
  /** pronoun that refers to something before a title */
  | 'trailingPronoun'
  | 'verbEnding'
  /** heading that announces a message: `quick question`, `complaint from …` */
  | 'heading'
  | 'headingModifier'
  | 'headingPreposition'
  /** `phone app problems`: where something is wrong, not what */
  | 'bareProblem'
  /** typing error: `an card` */
  | 'grammarSlip'
  /** what someone did along the way, with and without a subject */
  | 'pastAction'
  | 'stepTaken'
  /** praise before a complaint (`the API is nice`), and a word of contrast */
  | 'praiseVerb'
  | 'praise'
  | 'contrast'
  /** start of a sentence that needs another one */
  | 'vague'
  /** start of a statement whose subject is missing, and that is no question without its mark: `will go to lunch` */
  | 'subjectless'
  /** reference to another sentence, unless people are named to whom it refers */
  | 'anaphora'
  | 'people'
  /** asks what to do about a problem instead of naming it, or refuses something */
  | 'roundabout'
  /** misplaced question word: `the time is what` */
  | 'inverted'
  /** question in the word order of a statement: `what I have on my list` */
  | 'indirect'
  /** start of a reply to an earlier message */
  | 'replyStart'
  /** merely having something: `I have a direct debit` */
  | 'possession'
  /** someone introduces themselves; tells of themselves */
  | 'introduction'
  | 'selfStart'
>

/** By which a tag asks for a measure, see `tagging/measures.ts`. */
export type MeasureSigns = Signs<
  | 'share'
  | 'growth'
  /** growth in several words */
  | 'growthPhrase'
  | 'week'
  | 'count'
  | 'people'
  | 'mention'
  | 'days'
  | 'since'
  | 'first'
  /** period that cannot be counted */
  | 'otherTime'
>

/** Grammar of tag descriptions, see `tagging/plan.ts`. */
export type TagSigns = Signs<
  /** where exclusions begin: `, not` */
  | 'exclusion'
  | 'conjunction'
  /** what introduces when a value applies, and examples */
  | 'condition'
  | 'example'
  /** label that occurs in texts about anything, and what may intensify it: `very high` */
  | 'grade'
  | 'degree'
  /** particle that changes the meaning of a verb: `locked out` */
  | 'particle'
  /** verb that means something only with a particle of place: `getting in` */
  | 'lightVerb'
  | 'placeParticle'
  /** verb of `log in` and `sign up`, see `SIGN_IN_PARTICLES` */
  | 'signInVerb'
>

/** Values listed in tag descriptions, see `tagging/options.ts`. */
export type OptionSigns = Signs<
  /** start of a description about one subject, and what may precede it: `applies to` */
  | 'subjectStart'
  | 'subjectLead'
  /** subject before a colon, which asks for no value */
  | 'subjectHeading'
  /** what asks for a value: `which` */
  | 'openStart'
  /** what introduces a list, and those that do so even in a description about one subject */
  | 'listLead'
  | 'choiceLead'
  /** what separates values: after a comma, without one, and before the last */
  | 'commaSeparator'
  | 'separator'
  | 'lastSeparator'
  /** what may precede a label, and what begins the text after it */
  | 'labelStart'
  | 'labelEnd'
  /** a whole text that is not a label */
  | 'notLabel'
  /** word that a label does not contain */
  | 'functionWord'
  /** before quoted words that are no values: `mentions` */
  | 'quotedMention'
  /** what may precede a value with a condition; what begins such a part of a sentence, and its condition */
  | 'valueLead'
  | 'clauseConjunction'
  | 'clauseCondition'
>

type LabelMeaning =
  | 'bug'
  | 'request'
  | 'question'
  | 'praise'
  | 'cancellation'
  | 'billing'
  | 'login'
  | 'performance'
  | 'mobile'
  | 'integration'
  | 'export'
  | 'import'
  | 'notification'
  | 'security'
  | 'pricing'
  | 'delivery'
  | 'returns'

/** The labels of a meaning, and how people express it, see `tagging/label-cues.ts`. */
export type LabelCues = Readonly<
  Partial<Record<LabelMeaning, { readonly labels: readonly string[]; readonly cues: readonly string[] }>>
>

/** Words and phrases that show the kind of a statement, see `kinds/cues.ts`. */
export type KindCues = Readonly<
  Partial<
    Record<
      /** `why`; `where do I`; `any update` */
      | 'questionWord'
      | 'howTo'
      | 'status'
      /** `could you`; `please help`; something to be done: `refund` */
      | 'ask'
      | 'helpCall'
      | 'action'
      /** `would be nice`; what is to be built: `option to`; what there is not: `no way to` */
      | 'wish'
      | 'build'
      | 'lack'
      | 'negation'
      /** what fails; bad verdicts; what changed or recurs: `since the update` */
      | 'fault'
      | 'bad'
      | 'change'
      | 'good'
      /** `could not have been better`, `could be better`; `two hours`; the speaker */
      | 'noComplaint'
      | 'couldBetter'
      | 'duration'
      | 'self'
      | 'thanks'
      | 'greeting'
      /** what a company writes to its customers, and how to reach it */
      | 'ownSide'
      | 'contact'
      | 'we'
      /** an answer without content */
      | 'nothing'
      | 'contrast'
      | 'insult'
      | 'lukewarm'
      | 'spam'
      | 'chatter'
      /** unit of a rating: `5 stars` */
      | 'star',
      readonly string[]
    >
  >
>

/**
 * Phrases by which people speak well or ill of something, beside `KindCues`. `praise`: wherever it stands. `plain`: after a word of `frame`, or at the
 * start. `against`: what a complaint says.
 */
export type Tones = Readonly<Record<'praise' | 'plain' | 'frame' | 'against', readonly string[]>>
