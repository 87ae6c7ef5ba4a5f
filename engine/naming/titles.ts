import { listOfAll, signsOfAll, tableOfAll, wordsOfAll } from '../lexicons/lexicons.ts'
import { stem } from '../text/language.ts'
import { isStopword } from '../text/stopwords.ts'
import { knowsStem } from '../text/word-vectors.ts'
import { isQuestion, PROBLEM } from './readability.ts'

const sign = signsOfAll('TITLE_SIGNS')

const GREETING = new RegExp(`^(?:${sign('greeting')}(?![\\p{L}\\p{N}])(?: ${sign('addressee')})*[\\s,!.:–—-]*)+`, 'iu')

/** Openings that a title leaves out, in this order. */
const LEAD_INS = [
  new RegExp(`^${sign('filler')}\\b[\\s,:;!.–—-]+`, 'i'),
  new RegExp(`^${sign('kindLabel')}\\s*[:–—-]\\s*`, 'i'),
  new RegExp(`^${sign('please')}\\b[\\s,]*`, 'i'),
  new RegExp(`^${sign('apology')}\\b[\\s,!.]+(?:${sign('apologyLink')} )?`, 'i'),
  ...listOfAll((lexicon) => lexicon.LEAD_INS),
  new RegExp(`^${sign('hedge')}\\b[\\s,]+`, 'i'),
]

/** `Northgate Dental says that …`, `our users complain that …`: who said it does not belong in a title. */
const ATTRIBUTION = new RegExp(`^${sign('attribution')}`, 'u')
/** A question, even without a question mark. */
const QUESTION_START = new RegExp(`^${sign('questionStart')}(?: \\p{L}+){2}`, 'iu')
const REPORTING_VERB = new RegExp(`\\s${sign('reportingVerb')}`)

const TRAILERS = new RegExp(`[\\s,;:–—-]+${sign('trailer')}$`, 'i')
const CONNECTORS = new RegExp(`,? ${sign('connector')}\\b| [-–—] |[,;:(] ?`, 'gi')

const CLAUSE_START = new RegExp(`,? ${sign('connector')}\\b| [-–—→]+ |[,;:](?=\\s)`, 'gi')

const MAX_WORDS = 12
const PREPOSITION = sign('preposition')
/** The last preposition and everything after it. */
const LAST_PHRASE = new RegExp(`\\s${PREPOSITION}\\s(?:(?!\\s${PREPOSITION}\\s).)*$`, 'i')

/** Where the problem ends and its circumstances begin, for titles too long for both. */
const CIRCUMSTANCES = new RegExp(`,? ${sign('circumstance')} (?=${sign('clauseSubject')}\\b)`, 'gi')

/** A circumstance at the start: alone it is half a sentence. A question may begin like this too. */
const CIRCUMSTANCE_START = new RegExp(
  `^${sign('circumstance')} (?!${signsOfAll('DETAIL_SIGNS')('auxiliary')}\\b|${sign('predicate')})`,
  'i',
)
/** What follows half a sentence: the other half, not an addition to a whole one. */
const OTHER_HALF = new RegExp(`^,\\s*(?!${sign('connector')}\\b)(?=${sign('clauseSubject')}\\b)`, 'i')

/** Mentions at the start may be the subject: `@acme is slow`. */
const MENTIONS = /^(?:\s*[."'“]?@[\w.-]+[\s,:;]*)+/u
const PREDICATE = new RegExp(`^${sign('predicate')}`, 'i')

const DANGLING = new RegExp(`(?:^|\\s)${sign('dangling')}$`, 'i')
/** Words that no sentence ends with, cut or not. */
const NEVER_LAST = new RegExp(`(?:^|\\s)${sign('neverLast')}$`, 'i')

const REWRITINGS = listOfAll((lexicon) => lexicon.TITLE_REWRITINGS)
const SHORT_REWRITINGS = listOfAll((lexicon) => lexicon.SHORT_TITLE_REWRITINGS)
const ACRONYMS = wordsOfAll((lexicon) => lexicon.ACRONYMS)
const SPELLINGS = tableOfAll((lexicon) => lexicon.TITLE_SPELLINGS)
const CAPITAL_PRONOUN = new RegExp(`^${sign('capitalPronoun')}$`)

/**
 * A sentence as a title: without greeting, politeness, lead-ins, trailing clauses and final punctuation, with fixed
 * capitals. The remaining words are the sentence's own, in order (except `how I pay` → `how to pay`, `what my limit
 * is` → `what is my limit`). Null unless 2 to 12 words remain that can stand alone.
 */
export function titleOf(sentence: string): string | null {
  let text = plainText(sentence)
  for (let before = ''; before !== text; ) {
    before = text
    text = text.replace(GREETING, '').trim()
    for (const lead of LEAD_INS) text = text.replace(lead, '').trim()
    if (REPORTING_VERB.test(text)) text = text.replace(ATTRIBUTION, '').trim()
  }
  const whole = rewritten(withoutTail(text), REWRITINGS)
  text = fitToLength(whole)
  const words = countWords(text)
  if (words < 2 || words > MAX_WORDS || text.length > 90 || (text === whole ? NEVER_LAST : DANGLING).test(text))
    return null
  if (CIRCUMSTANCE_START.test(text) && OTHER_HALF.test(whole.slice(text.length)) && !isQuestion(sentence)) return null
  if (/[@\\{}<>|_=#]|\d{4,}|https?:|www\.|(?:^|\s)\/\w/.test(text)) return null
  if (MENTIONS.test(sentence) && PREDICATE.test(text) && !isQuestion(sentence)) return null
  return capitalise(rewritten(text, SHORT_REWRITINGS))
}

/** Shorter clauses are asides. */
const MIN_CLAUSE_WORDS = 3
const MAX_CLAUSES = 2

/** Titles of the clauses after the first one, at most two: people often come to the point there. */
export function laterTitlesOf(sentence: string): string[] {
  const titles: string[] = []
  const clauses = countWords(sentence) > MIN_CLAUSE_WORDS ? sentence.split(CLAUSE_START).slice(1) : []
  for (const clause of clauses) {
    if (countWords(clause.trim()) < MIN_CLAUSE_WORDS) continue
    const title = titleOf(clause)
    if (title !== null && countWords(title) >= MIN_CLAUSE_WORDS && !DANGLING.test(title)) titles.push(title)
    if (titles.length === MAX_CLAUSES) break
  }
  return titles
}

function rewritten(text: string, rewritings: typeof REWRITINGS): string {
  return rewritings.reduce((rewritten, [pattern, replacement]) => rewritten.replace(pattern, replacement), text)
}

/** Shortens an overlong text by dropping clauses and phrases about when, why and where. */
function fitToLength(whole: string): string {
  let text = whole
  if (countWords(text) > 9) text = withoutTail(shorten(text, CONNECTORS))
  if (countWords(text) > MAX_WORDS) text = withoutTail(shorten(text, CIRCUMSTANCES))
  for (let cut = LAST_PHRASE.exec(text); cut && countWords(text) > MAX_WORDS; cut = LAST_PHRASE.exec(text)) {
    const head = withoutTail(text.slice(0, cut.index))
    if (PROBLEM.test(text) && !PROBLEM.test(head)) break
    text = head
  }
  return text
}

/** A sentence end, but not after an abbreviation: `approx. 10 rows`. */
const SENTENCE_END = new RegExp(`(?<=[.!?…])(?<!(?:^|[\\s(])${sign('abbreviation')}\\.)\\s+|(?<=[。！？])`, 'iu')
/** A sentence end without a space: `again.It stops`, `please...it stops`. */
const GLUED_END = /(?<=\.{2,}|…)(?=\p{L})|(?<=\p{Ll}{2}[.!?])(?=\p{Lu}\p{Ll})/u

/**
 * The sentences of a text, trimmed; line breaks and list markers also separate. At most 12, each at most 300
 * characters.
 */
export function splitSentences(text: string): string[] {
  const found: string[] = []
  for (const line of text.slice(0, 2_000).split(/\n+/)) {
    for (const piece of line.split(SENTENCE_END).flatMap((part) => part.split(GLUED_END))) {
      const sentence = piece
        .replace(/^(?:[\s>*•–—-]|\(?(?:\d{1,3}|[a-h])\)|\d{1,3}\.(?=\s)){0,6}(?=[\p{L}\p{N}"'“„])/u, '')
        .trim()
      if (/\p{L}{2}/u.test(sentence) && sentence.length <= 300) found.push(sentence)
      if (found.length === 12) return found
    }
  }
  return found
}

/** Reply and forward prefixes of mail subjects. */
const REPLY_PREFIX = new RegExp(`^(?:${sign('replyPrefix')}\\s*:\\s*)+(?=\\S)`, 'i')

/**
 * A sentence ready for a summary: no greeting or reply prefix, initial capital, final punctuation, no shouting. Words
 * are unchanged.
 */
export function asSentence(sentence: string): string {
  const cleaned = sentence.toWellFormed().replace(/\s+/g, ' ').trim()
  const text = withoutShouting(cleaned.replace(REPLY_PREFIX, '').replace(GREETING, '').trim())
  const start = /^(?:\p{Ll}+[\p{Lu}\d.]|https?:|www\.)/u.test(text)
    ? text
    : text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
  if (/[.!?…]["”'»)]?$/u.test(start)) return start
  return start.replace(/[\s,;:–—-]+$/u, '') + (QUESTION_START.test(start) ? '?' : '.')
}

function withoutShouting(text: string): string {
  const letters = text.replace(/[^\p{L}]/gu, '')
  const shouting = letters.length > 8 && letters === letters.toUpperCase() && letters !== letters.toLowerCase()
  return shouting ? text.toLowerCase() : text
}

/** Entities that stand for a character of a name; the others for a space. */
const ENTITIES = new Map([
  ['&amp;', '&'],
  ['&apos;', "'"],
  ['&#39;', "'"],
  ['&rsquo;', "'"],
])

/** A text on one line, without what no name contains: emoji, quotation marks, brackets, mentions, links, entities. */
export function plainText(text: string): string {
  return withoutAddresses(text.toWellFormed())
    .replaceAll('’', "'")
    .replace(/^[\s>*•~–—.-]+(?=[\p{L}\d])/u, '')
    .replace(/[“”„"`*¿¡]+/g, '')
    .replace(/:[a-z][a-z0-9_+-]{1,40}:|(?:^|\s)[:;]-?[()DPp|/](?=\s|$)/g, ' ')
    .replace(/\p{Extended_Pictographic}|\p{Join_Control}|\p{Variation_Selector}/gu, ' ')
    .replace(/\((?:[^()]{0,80})\)/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ ([,.!?;:])(?=\s|$)/g, '$1')
    .trim()
}

/** Without mentions at the start, and without mentions, tags and links at the end; entities decoded. */
function withoutAddresses(text: string): string {
  if (!/[&@#]|https?:|www\./.test(text)) return text
  return text
    .replace(/&(?:#\d+|#x[\da-f]+|\p{L}+\d?);/giu, (entity) => ENTITIES.get(entity.toLowerCase()) ?? ' ')
    .replace(MENTIONS, '')
    .replace(/(?:\s+(?:[@#][\w-]+|https?:\S*|www\.\S+))+$/u, '')
}

function withoutTail(text: string): string {
  let out = text
  for (let before = ''; before !== out; ) {
    before = out
    out = out.replace(/[\s.,!?;:…~–—([-]+$/u, '').replace(TRAILERS, '')
  }
  return out
}

/** Cuts at the first clause boundary that leaves 4 to 11 words; unchanged if there is none. */
function shorten(text: string, boundaries: RegExp): string {
  for (const match of text.matchAll(boundaries)) {
    const head = text.slice(0, match.index)
    const words = countWords(head)
    if (words >= 4 && words <= 11 && !DANGLING.test(head)) return head
  }
  return text
}

function countWords(text: string): number {
  return text === '' ? 0 : text.split(' ').length
}

/** A text with an initial capital and fixed capitals in acronyms; not in capitals throughout. */
export function capitalise(text: string): string {
  const words = withoutShouting(text)
    .split(' ')
    .map((word) => {
      const bare = word.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase()
      if (ACRONYMS.has(bare))
        return word.toUpperCase() === word ? word : word.replace(/[\p{L}\p{N}]+/u, (core) => acronym(core))
      if (isShouted(word)) return word.toLowerCase()
      return CAPITAL_PRONOUN.test(word) ? withCapital(word) : (SPELLINGS.get(word) ?? word)
    })
  const first = words[0] as string
  if (!/\p{Lu}/u.test(first.slice(1)) && !/^\d/.test(first)) words[0] = withCapital(first)
  return words.join(' ')
}

/** Whether a word has capitals for emphasis: `STILL`, unlike `SEPA`. */
function isShouted(word: string): boolean {
  return (
    /^\p{Lu}[\p{Lu}']+$/u.test(word) &&
    word !== 'US' &&
    (isStopword(word.toLowerCase(), 'en') || (word.length > 3 && knowsStem(stem(word.toLowerCase(), 'en'), 'en')))
  )
}

function withCapital(word: string): string {
  return word.replace(/\p{L}/u, (letter) => letter.toUpperCase())
}

function acronym(word: string): string {
  return SPELLINGS.get(word.toLowerCase()) ?? word.toUpperCase()
}
