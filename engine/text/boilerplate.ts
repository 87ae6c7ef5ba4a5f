import { alternationOfAll } from '../lexicons/lexicons.ts'
import { intentsOf } from './intents.ts'
import { sentimentOf } from './sentiment.ts'

/** Sentences remembered; beyond that the least frequent ones are forgotten. */
const MAX_SENTENCES = 20_000
/** A sentence is boilerplate once it has occurred beside other text in this many messages, */
const MIN_OCCURRENCES = 6
/** and in this share of all messages of several sentences. */
const MIN_OCCURRENCE_SHARE = 0.003
/**
 * A real subject also occurs alone; boilerplate does so at most this often, relative to its occurrences beside other
 * text.
 */
const MAX_ALONE_RATIO = 0.1
/** Shorter sentences are common wording whatever the subject. */
const MIN_WORDS = 5
/** A text is stripped only if at least this many words remain. */
const MIN_REMAINING_WORDS = 3
/** Longer texts were not typed by a person. */
const MAX_TEXT_LENGTH = 2_000

/** `isContent`: see the function `isContent`; null until computed */
type SentenceStats = { beside: number; alone: number; isContent: boolean | null }

/**
 * Sentences that occur word for word in many otherwise different messages: an agent's phrases, lines added by a form,
 * standard openings and closings. Learned from the stream. A question, a request or a report of a problem never
 * counts as boilerplate.
 */
export class Boilerplate {
  /** by the hash of the sentence's letters */
  #sentences = new Map<number, SentenceStats>()
  /** messages of several sentences */
  #texts = 0

  /** Counts the sentences of a text and returns it without boilerplate, or unchanged if too little would remain. */
  strip(text: string): string {
    const sentences = sentencesIfShort(text)
    if (sentences.length > 1) this.#texts++
    for (const sentence of sentences) this.#count(sentence, sentences.length > 1)
    return this.#remaining(text, sentences)
  }

  /** The same without counting, for a text that was counted before. */
  stripWithoutCounting(text: string): string {
    return this.#remaining(text, sentencesIfShort(text))
  }

  #count({ hash, words }: Sentence, beside: boolean): void {
    if (words < MIN_WORDS) return
    const known = this.#sentences.get(hash)
    if (known && beside) known.beside++
    else if (known) known.alone++
    else if (beside) {
      if (this.#sentences.size >= MAX_SENTENCES) this.#forget()
      this.#sentences.set(hash, { beside: 1, alone: 0, isContent: null })
    }
  }

  #remaining(text: string, sentences: readonly Sentence[]): string {
    const left = sentences.filter((sentence) => !this.#isBoilerplate(text, sentence))
    if (left.length === sentences.length) return text
    if (left.reduce((sum, { words }) => sum + words, 0) < MIN_REMAINING_WORDS) return text
    return left.map(({ start, end }) => text.slice(start, end)).join(' ')
  }

  #isBoilerplate(text: string, { start, end, hash }: Sentence): boolean {
    const known = this.#sentences.get(hash)
    if (
      !known ||
      known.beside < Math.max(MIN_OCCURRENCES, this.#texts * MIN_OCCURRENCE_SHARE) ||
      known.alone > known.beside * MAX_ALONE_RATIO
    ) {
      return false
    }
    known.isContent ??= isContent(text.slice(start, end))
    return !known.isContent
  }

  /** Drops the least frequent sentences until a quarter of the capacity is free. */
  #forget(): void {
    for (let least = 1; this.#sentences.size > 0.75 * MAX_SENTENCES; least *= 2) {
      for (const [hash, { beside }] of this.#sentences) if (beside <= least) this.#sentences.delete(hash)
    }
  }

  /** The learned counts as numbers, for `fromNumbers`. */
  toNumbers(): number[] {
    return [this.#texts, ...[...this.#sentences].flatMap(([hash, { beside, alone }]) => [hash, beside, alone])]
  }

  /** Restores what `toNumbers` returned. */
  static fromNumbers(toNumbers: readonly number[]): Boilerplate {
    const made = new Boilerplate()
    made.#texts = toNumbers[0] ?? 0
    for (let i = 1; i + 2 < toNumbers.length; i += 3) {
      const [hash, beside, alone] = toNumbers.slice(i, i + 3) as [number, number, number]
      made.#sentences.set(hash, { beside, alone, isContent: null })
    }
    return made
  }
}

const REQUEST = new RegExp(
  `\\?\\s*$|(?<!\\p{L})(?:${alternationOfAll((lexicon) => lexicon.REQUEST_PHRASES)})(?!\\p{L})`,
  'iu',
)

/**
 * Whether a sentence is a question, a request or a report of a problem: then it is the subject of the message,
 * however common it is.
 */
function isContent(sentence: string): boolean {
  if (REQUEST.test(sentence) || sentimentOf(sentence) !== null) return true
  return [...intentsOf(sentence, 'en')].some(
    (intent) => intent.startsWith('?') || intent === '!not' || intent === '!off' || intent === '!on',
  )
}

type Sentence = { start: number; end: number; hash: number; words: number }

/** The sentences of a text, with a hash of their letters that ignores case, punctuation and digits. */
function sentencesOf(text: string): Sentence[] {
  const found: Sentence[] = []
  let start = 0
  let hash = 0x811c9dc5
  let words = 0
  let inWord = false
  let inNumber = false
  const close = (end: number) => {
    if (words > 0) found.push({ start, end, hash: hash >>> 0, words })
    start = end
    hash = 0x811c9dc5
    words = 0
    inWord = false
  }
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const isDigit = code >= 48 && code <= 57
    const isLetter = (code | 32) >= 97 && (code | 32) <= 122 ? true : code >= 0xc0
    if (isLetter || isDigit) {
      if (!inWord) {
        words++
        hash = Math.imul(hash ^ 32, 0x01000193)
      }
      inWord = true
      if (!isDigit || !inNumber) hash = Math.imul(hash ^ (isDigit ? 48 : code < 128 ? code | 32 : code), 0x01000193)
    } else if (code !== 39 && code !== 0x2019) inWord = false
    inNumber = isDigit
    if (code === 10 || ((code === 46 || code === 33 || code === 63) && isGap(text, i + 1))) close(i + 1)
  }
  close(text.length)
  return found
}

function sentencesIfShort(text: string): Sentence[] {
  return text.length > MAX_TEXT_LENGTH ? [] : sentencesOf(text)
}

function isGap(text: string, at: number): boolean {
  return at >= text.length || text.charCodeAt(at) <= 32
}
