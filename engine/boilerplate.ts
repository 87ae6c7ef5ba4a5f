import { mannerOf } from './tag-manner.ts'

/** Sentences that are remembered; past that, those said least are forgotten. */
const ROOM = 20_000
/** A sentence is boilerplate from so many messages on in which it stands beside something else. */
const WORN = 6
/** The same as a share of all messages of several sentences. */
const WORN_SHARE = 0.002
/** What a message is about is said alone too; boilerplate hardly ever, at most this part as often as beside other words. */
const ALONE = 0.1
const LEAST_WORDS = 3
/** Of what is left of a message, so many words are needed to go by them alone. */
const ENOUGH_WORDS = 3
/** Longer texts are not a statement of a person. */
const READ_LIMIT = 2_000

/** `telling`: null until it is asked for */
type Said = { beside: number; alone: number; telling: boolean | null }

/**
 * Sentences that stand word for word in many messages that are otherwise different: an agent's phrases, the lines that a form adds, what
 * everybody writes before and after. They are learned from what is read; a sentence that tells a trouble or a wish is never one.
 */
export class Boilerplate {
  /** by the hash of the sentence's letters */
  #said = new Map<number, Said>()
  /** messages of several sentences */
  #texts = 0

  /** Counts the sentences of a text, and returns it without those that are boilerplate; whole where too little would be left. */
  strip(text: string): string {
    if (text.length > READ_LIMIT) return text
    const sentences = sentencesOf(text)
    if (sentences.length < 2) {
      const only = sentences[0] && this.#said.get(sentences[0].hash)
      if (only) only.alone++
      return text
    }
    this.#texts++
    const worn = sentences.map((sentence) => this.#count(text, sentence))
    if (!worn.includes(true)) return text
    const left = sentences.filter((_, i) => worn[i] === false)
    if (left.reduce((sum, { words }) => sum + words, 0) < ENOUGH_WORDS) return text
    return left.map(({ start, end }) => text.slice(start, end)).join(' ')
  }

  #count(text: string, { start, end, hash, words }: Sentence): boolean {
    if (words < LEAST_WORDS) return false
    const known = this.#said.get(hash)
    if (!known) {
      if (this.#said.size >= ROOM) this.#forget()
      this.#said.set(hash, { beside: 1, alone: 0, telling: null })
      return false
    }
    known.beside++
    if (known.beside < Math.max(WORN, this.#texts * WORN_SHARE) || known.alone > known.beside * ALONE) return false
    known.telling ??= mannerOf(text.slice(start, end)) !== null
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
    return [
      this.#texts,
      ...[...this.#said].flatMap(([hash, { beside, alone, telling }]) => [
        hash,
        beside,
        alone,
        telling === null ? 2 : Number(telling),
      ]),
    ]
  }

  /** What `numbers` gave. */
  static of(numbers: readonly number[]): Boilerplate {
    const made = new Boilerplate()
    made.#texts = numbers[0] ?? 0
    for (let i = 1; i + 3 < numbers.length; i += 4) {
      const [hash, beside, alone, telling] = numbers.slice(i, i + 4) as [number, number, number, number]
      made.#said.set(hash, { beside, alone, telling: telling === 2 ? null : telling === 1 })
    }
    return made
  }
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

function isGap(text: string, at: number): boolean {
  return at >= text.length || text.charCodeAt(at) <= 32
}
