import { LEXICONS, signsOfAll } from '../lexicons/lexicons.ts'
import type { Intents } from '../text/intents.ts'
import type { Language } from '../text/language.ts'

/** For a title that names a thing, but neither a problem nor a wish. */
const LABEL_FACTOR = 0.82

const sign = signsOfAll('READABILITY_SIGNS')

const TRAILING_PRONOUN = new RegExp(`\\b${sign('trailingPronoun')}$`, 'i')
/** Words of a title that state a problem, in any language. */
export const PROBLEM = new RegExp(`\\b${sign('problem')}\\b`, 'i')
/** Only English titles are tested for a verb. */
const VERBS = new Set(LEXICONS.en.VERBS)
const IMPERATIVES = new Set(LEXICONS.en.IMPERATIVES)
const VERB_ENDING = new RegExp(`...${sign('verbEnding')}$`)
/** A heading that announces a message without its content. */
const GENERIC = new RegExp(
  `^(?:\\S+ (?=\\S+ ${sign('headingPreposition')}\\b))?(?:${sign('headingModifier')} )*${sign('heading')}\\b`,
  'i',
)
/** Says where something is wrong, not what: `phone app problems`. */
const BARE_PROBLEM = new RegExp(
  `^(?:[\\w-]+ ){1,6}${sign('bareProblem')}(?: ${sign('headingPreposition')} [\\w '-]+)?$`,
  'i',
)
/** Typing errors: `what's is`, `the the`, `an card`. */
const GRAMMAR_SLIP = new RegExp(`\\b(\\w+) \\1\\b|${sign('grammarSlip')}`, 'i')
/** What someone did along the way says little about the problem. */
const PAST_ACTION = new RegExp(`^${sign('pastAction')}\\b`, 'iu')
const STEP_TAKEN = new RegExp(`^${sign('stepTaken')}\\b`, 'iu')
/** Praise before a complaint: `the API is nice` of `… is nice, throttling is brutal though`. */
const CONCESSION = new RegExp(`\\b${sign('praiseVerb')} (?:\\p{L}+ )?${sign('praise')}$`, 'iu')
const CONTRAST = new RegExp(`\\b${sign('contrast')}\\b`, 'i')
const VAGUE = new RegExp(`^${sign('vague')}(?![\\w-])`, 'i')
/** Only of a statement: questions begin like this too. */
const SUBJECTLESS = new RegExp(`^${sign('subjectless')}`, 'i')
/** Refers to another sentence (`is that planned`, `where are they`), unless it names the people it refers to. */
const ANAPHORA = new RegExp(sign('anaphora'), 'i')
const PEOPLE = new RegExp(`\\b${sign('people')}\\b`, 'i')
/** Asks what to do about the problem instead of naming it, or refuses something. */
const ROUNDABOUT = new RegExp(`^${sign('roundabout')}\\b`, 'i')
/** A misplaced question word (`the time is what`, `lasagna takes how long`). */
const INVERTED = new RegExp(sign('inverted'), 'i')
/** A question in the word order of a statement: `what I have on my list`. */
const INDIRECT = new RegExp(`^${sign('indirect')}\\b`, 'i')
/** Replies to an earlier message. */
const REPLY_START = new RegExp(`^(?:\\+1|${sign('replyStart')})\\b`, 'i')
/** Code, addresses, ticket numbers. */
const MACHINE_TEXT = /[`{}<>|\\]|https?:|www\.|\b[A-Z]+-\d+|\w_\w|\d{4,}/

/** Merely having something is neither a problem nor a request: `I have a direct debit`. */
const POSSESSION = new RegExp(`^${sign('possession')}$`, 'i')
/** Matches of `PROBLEM` that are someone else's wish: `what name do you want`. */
const NOT_A_WISH = new RegExp(`\\b${sign('otherWish')}\\b`, 'i')
/** Capitals within a title suggest the name of a person or a company, and so does an introduction. */
const PROPER_NAME = new RegExp(`\\s\\p{Lu}\\p{Ll}+\\s\\p{Lu}\\p{Ll}+|\\b${sign('introduction')}\\b`, 'u')

/** A figure before anything else: `2 hours on hold`. */
const FIGURE_START = /^[\d#$€£]/
/** Tells of the writer, not of the product: `we run a hotel`. */
const SELF_START = new RegExp(`^${sign('selfStart')}\\b`, 'i')

/** How well a title reads on its own, 0 to about 1. */
export function titleQuality(title: string, intents: Intents, sentence: string, language: Language): number {
  const words = title.split(' ').length
  let quality = words < 3 ? 0.4 : words === 3 ? 0.9 : title.length <= 48 ? 1 : title.length <= 60 ? 0.9 : 0.75
  const troubled = intents.has('!not')
  if (troubled) quality *= 1.1
  else if (PROBLEM.test(title.replace(NOT_A_WISH, ''))) quality *= 1.05
  else if (SELF_START.test(title)) quality *= 0.65
  else if (language === 'en' && (!saysWhatHappens(title) || POSSESSION.test(title))) quality *= LABEL_FACTOR
  if (!troubled && (PAST_ACTION.test(title) || (STEP_TAKEN.test(title) && !PROBLEM.test(title)))) quality *= 0.75
  if (CONCESSION.test(title) && CONTRAST.test(sentence)) quality *= 0.6
  if (GENERIC.test(title) || BARE_PROBLEM.test(title)) quality *= 0.7
  if (ROUNDABOUT.test(title)) quality *= 0.9
  if (sentence.split(/\s+/).length > words + 5) quality *= 0.9
  if (CONTRAST.test(title)) quality *= 0.8
  if (VAGUE.test(title)) quality *= 0.5
  if (SUBJECTLESS.test(title) && !isQuestion(sentence)) quality *= 0.6
  if (FIGURE_START.test(title)) quality *= 0.8
  if (repeatsWord(title)) quality *= 0.7
  if (TRAILING_PRONOUN.test(title)) quality *= 0.5
  if (ANAPHORA.test(title)) quality *= 0.8
  if (intents.size < 2) quality *= 0.8
  if (INVERTED.test(title)) quality *= 0.6
  if (INDIRECT.test(title)) quality *= 0.93
  if (GRAMMAR_SLIP.test(title)) quality *= 0.8
  const numbers = title.match(/\d+/g)
  if (numbers) quality *= numbers.length > 1 || (numbers[0] as string).length > 2 ? 0.7 : 0.85
  if (/[/→>≠=+]/.test(title)) quality *= 0.6
  else if (/[,:;]/.test(title)) quality *= 0.75
  return PROPER_NAME.test(title) ? quality * 0.7 : quality
}

/**
 * How informative a sentence is to someone who reads nothing else, 0 to about 1: replies, code and labels are low;
 * problems and requests are high.
 */
export function informativenessOf(
  { text, intents, first }: { text: string; intents: Intents; first: boolean },
  language: Language,
): number {
  let score = first ? 1 : 0.95
  if (intents.has('!not')) score *= 1.1
  else if (PROBLEM.test(text)) score *= 1.05
  else if (language === 'en' && !saysWhatHappens(text)) score *= 0.7
  if (REPLY_START.test(text) || VAGUE.test(text)) score *= 0.6
  if (ANAPHORA.test(text) && !PEOPLE.test(text)) score *= 0.8
  if (MACHINE_TEXT.test(text)) score *= 0.5
  if (/[:,]$/.test(text)) score *= 0.7
  return score
}

/** Whether a text cannot begin a name: it needs what was before it. */
export function isDependent(text: string): boolean {
  return VAGUE.test(text)
}

/** Whether a sentence ends with a question mark. */
export function isQuestion(sentence: string): boolean {
  return /[?？]\s*$/.test(sentence)
}

/** Whether part of a sentence can stand alone: it says what happens, and does not refer to what is before it. */
export function isStatement(text: string, language: Language): boolean {
  return !VAGUE.test(text) && !REPLY_START.test(text) && (language !== 'en' || saysWhatHappens(text))
}

/** Whether an English word is one of the frequent verbs. */
export function isVerb(word: string): boolean {
  return VERBS.has(word.toLowerCase())
}

/** Whether a longer word occurs twice. */
function repeatsWord(title: string): boolean {
  const words = title.toLowerCase().split(' ')
  return words.some((word, at) => word.length > 3 && words.indexOf(word) < at)
}

function saysWhatHappens(text: string): boolean {
  const words = text.toLowerCase().split(' ')
  return IMPERATIVES.has(words[0] as string) || words.some((word) => VERBS.has(word) || VERB_ENDING.test(word))
}
