import { IMPERATIVES as IMPERATIVE_WORDS, VERBS as VERB_WORDS } from '../lexicons/en.ts'
import type { Intents } from '../text/intents.ts'
import type { Language } from '../text/language.ts'

/** For a title that names a thing but not what is wrong with it or wanted. */
const LABEL_FACTOR = 0.82
const TRAILING_PRONOUN = /\b(?:it|this|that|them|these|those|one|there)$/i
export const PROBLEM =
  /\b(?:not|n't|cannot|can't|cant|won't|wont|doesn't|doesnt|don't|dont|isn't|never|no longer|fail\w*|error\w*|broken|missing|wrong|slow|crash\w*|unable|stop\w*|lost|lose\w*|stuck|freez\w*|duplicat\w*|declined|denied|rejected|pending|late|double|twice|outdated|empty|blank|incomplete|invalid|hard|difficult|confusing|unclear|too|no|nothing|unusable|broke|why|how|need|want|add|support|allow|change|cancel|fehl\w*|kaputt|nicht|kein\w*|falsch|langsam|geht)\b/i
/** Verbs: a title without any is at best a label. English only, like `IMPERATIVES`. */
const VERBS = new Set(VERB_WORDS)
/** Verbs that start an imperative title. */
const IMPERATIVES = new Set(IMPERATIVE_WORDS)
/** Typical verb endings. */
const VERB_ENDING = /...(?:ed|ing|n't)$/
/** A heading that announces a message without its content. */
const GENERIC =
  /^(?:\S+ (?=\S+ (?:from|by|about|on)\b))?(?:(?:a|an|my|our|another|some|still|quick|general|small|big|one|two|three|first|second) )*(?:complaints?|feedback|questions?|problems?|issues?|requests?|enquiry|inquiry|suggestions?|ideas?|points?|help|urgent|reminder|follow-?up|update|anfrage|fragen?|probleme?|beschwerde|anliegen|hinweis)\b/i
/** Says where something is wrong, not what: `phone app problems`. */
const BARE_PROBLEM = /^(?:[\w-]+ ){1,6}(?:problems?|issues?|troubles?)$/i
/** Typing errors: `what's is`, `the the`, `an card`. */
const GRAMMAR_SLIP =
  /\b(\w+) \1\b|\ba \w+ed an?\b|\b(?:what|where|who|how|it|that)'s is\b|^(?:what|who|where|when|why|how) (?:is|are) .* (?:is|are)\b|\ban [bcdfgjklpqtvwyz][a-z]{2}|\ba (?!eu|one|once)[aeio][a-z]{2}/i
/** What someone did along the way says little about the problem. */
const PAST_ACTION =
  /^(?:i|we)(?:'ve| have| had)? (?:just |already |also |then )?(?:\p{L}{2,}ed|made|did|went|sent|paid|bought|took|put|saw|tried)\b/iu
const STEP_TAKEN = /^(?:\p{L}{3,}ed|went|tried|made|did|saw) (?:the|my|our|an?|on|in|to|it|up|from)\b/iu
/** Praise before a complaint: `the API is nice` of `… is nice, throttling is brutal though`. */
const CONCESSION =
  /\b(?:is|are|was|were|looks?|works?|feels?|seems?) (?:\p{L}+ )?(?:nice|great|good|fine|cool|lovely|awesome|amazing|fantastic|perfect|excellent|super|toll|gut|schön|prima)$/iu
const CONTRAST = /\b(?:but|though|however|although|except|yet|aber|jedoch|allerdings)\b/i
const VAGUE =
  /^(?:before|(?:the )?(?:error|message|result|reason) (?:is|was|says|reads)|about|if|whether|because|since|while|although|when (?:i|we|you)|for|on|with|to|than|as|of|in|at|from|by|or|my recent|it|its|it's|this|that|these|those|they|he|she|which|there|here|same|also|then|because|one|another|es|das|dies|dann)\b/i
/** Refers to another sentence: `is that planned`, `where are they`. */
const ANAPHORA =
  /\b(?:they|them|their)\b|\b(?:is|was|does|will|would|could) (?:that|this|these|those) (?:on|in|an?|the|not|normal|possible|planned|expected|intended|known|correct|right|still|be|work|works|happen)\b|\b(?:do|did|fix|correct|change|use|open|know|like|see|about|of|for|with|like) (?:that|this|these|those)$/i
/** Asks what to do about the problem instead of naming it, or refuses something. */
const ROUNDABOUT =
  /^(?:what (?:do|should|can|must|could) (?:i|we) (?:(?:have|need) to )?do (?:if|when|since|because|about|with)|(?:i|we) (?:won't|will not))\b/i
/** A misplaced question word (`the time is what`, `lasagna takes how long`). */
const INVERTED =
  /\b(?:is|are|takes?|pay \w+) (?:what|where|when|how)\b|\S how (?:much|many|long|far|old|often)\b|\S (?:what|where|when|which)$/i
/** A question in the word order of a statement: `what I have on my list`. */
const INDIRECT =
  /^(?:what|where|when|why|how(?: (?:much|many|long))?)(?: (?!is|are|was|were|do|does|did|can|could|will|would|should|has|have|to|am)\w+){0,2}? (?:my|i|i'm|the|we|you|they|it)\b/i
/** Replies to an earlier message. */
const REPLY_START =
  /^(?:same|me too|\+1|yes|yep|yeah|no|nope|ours?|mine|us|here|ditto|agreed?|indeed|exactly|likewise|thanks?|sorry|ok|and|but|so|also|ja|nein|auch|genau|hier|oui|non|sí|sim)\b/i
/** Code, addresses, ticket numbers. */
const MACHINE_TEXT = /[`{}<>|\\]|https?:|www\.|\b[A-Z]+-\d+|\w_\w|\d{4,}/

/** Merely having something is neither a problem nor a request: `I have a direct debit`. */
const POSSESSION = /^(?:i|we|my \w+) (?:have|has) (?:an?|the|my|our) (?:[\w-]+ ){0,2}[\w-]+$/i
/** Matches of `PROBLEM` that are someone else's wish: `what name do you want`. */
const NOT_A_WISH = /\b(?:you want|the need)\b/i

/** How well a title reads on its own, 0 to about 1. */
export function titleQuality(title: string, intents: Intents, sentence: string, language: Language): number {
  const words = title.split(' ').length
  let quality = words < 3 ? 0.4 : words === 3 ? 0.9 : title.length <= 48 ? 1 : title.length <= 60 ? 0.9 : 0.75
  const troubled = intents.has('!not')
  if (troubled) quality *= 1.1
  else if (PROBLEM.test(title.replace(NOT_A_WISH, ''))) quality *= 1.05
  else if (language === 'en' && (!saysWhatHappens(title) || POSSESSION.test(title))) quality *= LABEL_FACTOR
  if (!troubled && (PAST_ACTION.test(title) || (STEP_TAKEN.test(title) && !PROBLEM.test(title)))) quality *= 0.75
  if (CONCESSION.test(title) && CONTRAST.test(sentence)) quality *= 0.6
  if (GENERIC.test(title) || BARE_PROBLEM.test(title)) quality *= 0.7
  if (ROUNDABOUT.test(title)) quality *= 0.9
  if (sentence.split(/\s+/).length > words + 5) quality *= 0.9
  if (VAGUE.test(title)) quality *= 0.6
  if (TRAILING_PRONOUN.test(title)) quality *= 0.5
  if (ANAPHORA.test(title)) quality *= 0.8
  if (intents.size < 2) quality *= 0.8
  if (INVERTED.test(title)) quality *= 0.6
  if (INDIRECT.test(title)) quality *= 0.93
  if (GRAMMAR_SLIP.test(title)) quality *= 0.8
  const numbers = title.match(/\d+/g)
  if (numbers) quality *= numbers.length > 1 || (numbers[0] as string).length > 2 ? 0.7 : 0.85
  if (/[,:;/→>≠=+]/.test(title)) quality *= 0.75
  return properNames(title) ? quality * 0.7 : quality
}

/**
 * How informative a sentence is to someone who reads nothing else, 0 to about 1: replies, code and labels are low;
 * problems and requests are high.
 */
export function informativenessOf(
  { text, intents, first }: { text: string; intents: Intents; first: boolean },
  language: Language,
): number {
  let telling = first ? 1 : 0.95
  if (intents.has('!not')) telling *= 1.1
  else if (PROBLEM.test(text)) telling *= 1.05
  else if (language === 'en' && !saysWhatHappens(text)) telling *= 0.7
  if (REPLY_START.test(text) || VAGUE.test(text)) telling *= 0.6
  if (ANAPHORA.test(text) && !/\b(?:customers?|clients?|users?|people|team)\b/i.test(text)) telling *= 0.8
  if (MACHINE_TEXT.test(text)) telling *= 0.5
  if (/[:,]$/.test(text)) telling *= 0.7
  return telling
}

/** Whether capitals inside a title suggest a person's or a company's name. */
function properNames(title: string): boolean {
  return /\s\p{Lu}\p{Ll}+\s\p{Lu}\p{Ll}+|\bi'm\b/u.test(title)
}

function saysWhatHappens(text: string): boolean {
  const words = text.toLowerCase().split(' ')
  return IMPERATIVES.has(words[0] as string) || words.some((word) => VERBS.has(word) || VERB_ENDING.test(word))
}
