import { aimsOf } from './aims.ts'
import { mannerOf } from './manner.ts'

/** Sentences that are remembered; past that, those said least are forgotten. */
const ROOM = 20_000
/** A sentence is boilerplate from so many messages on in which it stands beside something else. */
const WORN = 6
/** The same as a share of all messages of several sentences. */
const WORN_SHARE = 0.003
/** What a message is about is said alone too; boilerplate hardly ever, at most this part as often as beside other words. */
const ALONE = 0.1
/** Shorter sentences are said by many in the same words, whatever they are about. */
const LEAST_WORDS = 5
/** Of what is left of a message, so many words are needed to go by them alone. */
const ENOUGH_WORDS = 3
/** Longer texts are not a statement of a person. */
const READ_LIMIT = 2_000

/** `telling`: see `isTelling`; null until it is asked for */
type Said = { beside: number; alone: number; telling: boolean | null }

/**
 * Sentences that stand word for word in many messages that are otherwise different: an agent's phrases, the lines that a form adds, what
 * everybody writes before and after. They are learned from what is read; a sentence that asks, wants or tells a trouble is never one.
 */
export class Boilerplate {
  /** by the hash of the sentence's letters */
  #said = new Map<number, Said>()
  /** messages of several sentences */
  #texts = 0

  /** Counts the sentences of a text, and returns it without those that are boilerplate; whole where too little would be left. */
  strip(text: string): string {
    const sentences = readable(text)
    if (sentences.length > 1) this.#texts++
    for (const sentence of sentences) this.#count(sentence, sentences.length > 1)
    return this.#left(text, sentences)
  }

  /** The same without counting, for a text that was counted when it came. */
  without(text: string): string {
    return this.#left(text, readable(text))
  }

  #count({ hash, words }: Sentence, beside: boolean): void {
    if (words < LEAST_WORDS) return
    const known = this.#said.get(hash)
    if (known && beside) known.beside++
    else if (known) known.alone++
    else if (beside) {
      if (this.#said.size >= ROOM) this.#forget()
      this.#said.set(hash, { beside: 1, alone: 0, telling: null })
    }
  }

  #left(text: string, sentences: readonly Sentence[]): string {
    const left = sentences.filter((sentence) => !this.#isWorn(text, sentence))
    if (left.length === sentences.length) return text
    if (left.reduce((sum, { words }) => sum + words, 0) < ENOUGH_WORDS) return text
    return left.map(({ start, end }) => text.slice(start, end)).join(' ')
  }

  #isWorn(text: string, { start, end, hash }: Sentence): boolean {
    const known = this.#said.get(hash)
    if (!known || known.beside < Math.max(WORN, this.#texts * WORN_SHARE) || known.alone > known.beside * ALONE) {
      return false
    }
    known.telling ??= isTelling(text.slice(start, end))
    return !known.telling
  }

  /** Drops the sentences said least until a quarter of the room is free. */
  #forget(): void {
    for (let least = 1; this.#said.size > 0.75 * ROOM; least *= 2) {
      for (const [hash, { beside }] of this.#said) if (beside <= least) this.#said.delete(hash)
    }
  }

  /** What is remembered, as numbers; see `of`. */
  numbers(): number[] {
    return [this.#texts, ...[...this.#said].flatMap(([hash, { beside, alone }]) => [hash, beside, alone])]
  }

  /** What `numbers` gave. */
  static of(numbers: readonly number[]): Boilerplate {
    const made = new Boilerplate()
    made.#texts = numbers[0] ?? 0
    for (let i = 1; i + 2 < numbers.length; i += 3) {
      const [hash, beside, alone] = numbers.slice(i, i + 3) as [number, number, number]
      made.#said.set(hash, { beside, alone, telling: null })
    }
    return made
  }
}

const WANTS =
  /\?\s*$|(?<!\p{L})(?:wants?|wanted|needs?|needed|would like|i['’]d like|we['’]d like|help me|help us|have to|möchten?|brauchen?|benötigen?|quiero|queremos|necesit\p{L}+|veux|voulons|besoin|quero|queremos|precis\p{L}+)(?!\p{L})/iu

/** Whether a sentence asks for something, wants it or says what is wrong: then it is what a message is about, however many say it. */
function isTelling(sentence: string): boolean {
  if (WANTS.test(sentence) || mannerOf(sentence) !== null) return true
  return [...aimsOf(sentence, 'en')].some(
    (aim) => aim.startsWith('?') || aim === '!not' || aim === '!off' || aim === '!on',
  )
}

type Sentence = { start: number; end: number; hash: number; words: number }

/** The sentences of a text with a hash of their letters, in which case, marks and what numbers say make no difference. */
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

function readable(text: string): Sentence[] {
  return text.length > READ_LIMIT ? [] : sentencesOf(text)
}

function isGap(text: string, at: number): boolean {
  return at >= text.length || text.charCodeAt(at) <= 32
}
