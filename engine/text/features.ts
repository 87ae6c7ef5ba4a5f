import { guessLanguage, type Language, languageOf } from './language.ts'
import { talkOf } from './noise.ts'
import { normalise, numberWords, TOKEN_LIMIT, tokenise } from './normalise.ts'
import { hashWords, type Vocabulary } from './vocabulary.ts'
import { stemHash, Words } from './words.ts'

const TERM_LIMIT = 600
/** No statement has more: the limit, and as many terms again as the last word may have. */
export const MOST_TERMS = 2 * TERM_LIMIT
/** Room for the terms of one statement, by which each is found again; a power of two. */
const SLOTS = 4 * 1_024
const PLACE_BITS = 11
const MOST_PLACES = 1 << PLACE_BITS
const STAMPS = 2 ** (31 - PLACE_BITS) - 1

/**
 * A statement as sparse counts: the first `words` terms are stems, those after them up to `short` are pieces of words of three
 * letters, the rest pieces of four and five, which only revisions look at. Counts are
 * in quarters: an occurrence counts 4, in a word of the sentence's frame less the longer the statement is.
 */
export type Features = {
  terms: Int32Array
  counts: Uint8Array
  words: number
  short: number
  /** from a model outside, where the workspace has one */
  vector?: Int8Array
}

/**
 * A statement as the engine reads it before it is compared with anything. `talk` begins with `talkOf` of each token, `numbers` with what
 * they are called in the lexicon of the representer that read it.
 */
export type Reading = {
  tokens: string[]
  talk: ArrayLike<number>
  language: Language
  hash: number
  numbers?: ArrayLike<number>
}

/** Words of a statement, its language, and a 53-bit hash of its words: equal for texts that differ in markup alone. */
export function read(text: string): Reading {
  const tokens = tokenise(normalise(text))
  return { tokens, talk: tokens.map(talkOf), language: guessLanguage(tokens), hash: hashWords(tokens) }
}

/**
 * What a frame word counts, in quarters. A short question is told from others by how it asks; in a long message the same
 * words are accidents.
 */
function frameQuarters(tokens: number): number {
  if (tokens <= 10) return 4
  if (tokens <= 13) return 3
  return tokens <= 17 ? 2 : 1
}

/** What has no words is like nothing. */
export const WORDLESS: Features = { terms: new Int32Array(0), counts: new Uint8Array(0), words: 0, short: 0 }

/** A copy of features that were only glanced at. */
function kept({ terms, counts, words, short }: Features): Features {
  return { terms: terms.slice(), counts: counts.slice(), words, short }
}

/** Turns texts into readings, and readings into features. Holds working memory: what it returns is often good until the next call only. */
export class Representer {
  #vocabulary: Vocabulary
  #words: Words
  /** of the words of the text that was read last */
  #numbers = new Int32Array(TOKEN_LIMIT)
  #talk = new Uint8Array(TOKEN_LIMIT)
  #hints = new Uint16Array(TOKEN_LIMIT)
  /** the words of the statement at hand, as records */
  #records = new Int32Array(TOKEN_LIMIT)
  /** the terms of the statement at hand and their counts */
  #terms = new Int32Array(MOST_TERMS)
  #counts = new Uint8Array(MOST_TERMS)
  #size = 0
  /** where a term is among them, by its hash: the number of the last statement that held one of this hash, times 2,048, and its place */
  #slots = new Int32Array(SLOTS)
  #stamp = 0

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary
    this.#words = new Words(vocabulary)
  }

  /** The same as `read`, in less time where most words were seen before; but for `tokens` it holds until the next text is read. */
  read(text: string): Reading {
    this.#words.tidy()
    const { lexicon } = this.#words
    const normal = normalise(text)
    let size = numberWords(normal, lexicon, this.#numbers)
    if (size < 0) {
      const found = tokenise(normal)
      size = found.length
      for (let i = 0; i < size; i++) this.#numbers[i] = lexicon.numberOf(found[i] as string)
    }
    const tokens: string[] = []
    for (let i = 0; i < size; i++) {
      const number = this.#numbers[i] as number
      tokens.push(lexicon.texts[number] as string)
      this.#talk[i] = lexicon.talk[number] as number
      this.#hints[i] = lexicon.hints[number] as number
    }
    const language = languageOf(this.#hints, size)
    return { tokens, talk: this.#talk, language, hash: hashWords(tokens), numbers: this.#numbers }
  }

  /** The counts of a reading's stems and of its character n-grams of 3 to 5, at most 600 terms, and those of the word with which they are reached. */
  represent(reading: Reading): Features {
    return kept(this.glance(reading))
  }

  /** The same for a look only: what is returned holds until the next reading is represented. */
  glance({ tokens, language, numbers }: Reading): Features {
    const words = this.#words
    const records = this.#records
    const size = tokens.length
    for (let i = 0; i < size; i++) {
      records[i] = words.record(numbers?.[i] ?? words.lexicon.numberOf(tokens[i] as string), language)
    }
    if (this.#stamp === STAMPS) {
      this.#slots.fill(0)
      this.#stamp = 0
    }
    this.#stamp++
    this.#size = 0
    const quarters = frameQuarters(size)
    for (let i = 0; i < size; i++) {
      const word = records[i] as number
      this.#add(words.stem(word), words.frames(word) ? quarters : 4)
    }
    const stems = this.#size
    for (let i = 0; i < size && this.#size < TERM_LIMIT; i++) {
      const word = records[i] as number
      this.#addAll(words.pieces(word), words.longPieces(word), words.frames(word) ? quarters : 4)
    }
    const short = this.#size
    for (let i = 0; i < size && this.#size < TERM_LIMIT; i++) {
      const word = records[i] as number
      this.#addAll(words.longPieces(word), words.end(word), words.frames(word) ? quarters : 4)
    }
    return {
      terms: this.#terms.subarray(0, this.#size),
      counts: this.#counts.subarray(0, this.#size),
      words: stems,
      short,
    }
  }

  /** The stem of each token of the reading that was represented last, as found among its terms; and whether the word is one of a sentence's frame. */
  stemAt(token: number): { stem: number; frames: boolean } {
    const record = this.#records[token] as number
    return { stem: this.#words.stem(record), frames: this.#words.frames(record) }
  }

  /** How rare a stem is in all that was said: the natural log of the inverse share of texts, plus 1. */
  rarity(stemmed: string): number {
    const term = this.#vocabulary.idOf(stemHash(stemmed))
    const frequency = this.#vocabulary.frequency[term] as number
    return Math.log((this.#vocabulary.texts + 1) / (frequency + 1)) + 1
  }

  #addAll(from: number, until: number, quarters: number): void {
    const { pool } = this.#words
    for (let at = from; at < until; at++) this.#add(pool[at] as number, quarters)
  }

  #add(term: number, quarters: number): void {
    const slots = this.#slots
    let at = (Math.imul(term, 0x9e3779b1) >>> 20) & (SLOTS - 1)
    for (;;) {
      const held = slots[at] as number
      if (held >> PLACE_BITS !== this.#stamp) break
      const place = held & (MOST_PLACES - 1)
      if (this.#terms[place] === term) {
        this.#counts[place] = Math.min(255, (this.#counts[place] as number) + quarters)
        return
      }
      at = (at + 1) & (SLOTS - 1)
    }
    slots[at] = (this.#stamp << PLACE_BITS) | this.#size
    this.#terms[this.#size] = term
    this.#counts[this.#size++] = quarters
  }
}
