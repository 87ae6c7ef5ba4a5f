import { isFrame } from './frame.ts'
import { guessLanguage, type Language, stem } from './language.ts'
import { normalise, tokenise } from './normalise.ts'
import { hashText, type Vocabulary } from './vocabulary.ts'

const WORD_SALT = 0x51ed27
const CHARS_SALT = 0x9e3779
const CACHE_LIMIT = 60_000
const TERM_LIMIT = 600
/** No statement has more: the limit, and as many terms again as the last word may have. */
export const MOST_TERMS = 2 * TERM_LIMIT
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

/** The hash of an English stem, by which the vocabulary knows it. */
export function stemHash(stemmed: string): number {
  return hashText(stemmed, 0, stemmed.length, WORD_SALT)
}

/** A statement as the engine reads it before it is compared with anything. */
export type Reading = { tokens: string[]; language: Language; hash: number }

/** Words of a statement, its language, and a 53-bit hash of its words: equal for texts that differ in markup alone. */
export function read(text: string): Reading {
  const tokens = tokenise(normalise(text))
  const joined = tokens.join(' ')
  const high = hashText(joined, 0, joined.length, 1) >>> 11
  const low = hashText(joined, 0, joined.length, 2) >>> 0
  return { tokens, language: guessLanguage(tokens), hash: high * 0x1_0000_0000 + low }
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

/** The first `short` of a word's pieces have three letters. */
type Word = { stem: number; grams: Int32Array; short: number; frame: boolean }

/**
 * Turns readings into features. Keeps what it worked out about each word, because words repeat; that memory only saves
 * time and never changes a result.
 */
export class Representer {
  #vocabulary: Vocabulary
  #cache = new Map<string, Word>()
  /** for each term the number of the last statement that held it, times 2,048, and its place there */
  #seen = new Int32Array(1 << 12)
  #stamp = 0
  /** the terms of the statement at hand and their counts */
  #terms = new Int32Array(MOST_TERMS)
  #counts = new Uint8Array(MOST_TERMS)
  #size = 0
  /** the words of the statement at hand */
  #words: Word[] = []

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary
  }

  /** The counts of a reading's stems and of its character n-grams of 3 to 5, at most 600 terms, and those of the word with which they are reached. */
  represent(reading: Reading): Features {
    return kept(this.glance(reading))
  }

  /** The same for a look only: what is returned holds until the next reading is represented. */
  glance(reading: Reading): Features {
    const found = this.#words
    const { tokens, language } = reading
    for (let i = 0; i < tokens.length; i++) found[i] = this.#word(tokens[i] as string, language)
    if (this.#seen.length < this.#vocabulary.hashes.length || this.#stamp === STAMPS) {
      this.#seen = new Int32Array(this.#vocabulary.hashes.length)
      this.#stamp = 0
    }
    this.#stamp++
    this.#size = 0
    const frame = frameQuarters(tokens.length)
    for (let i = 0; i < tokens.length; i++) {
      const word = found[i] as Word
      this.#add(word.stem, word.frame ? frame : 4)
    }
    const words = this.#size
    for (let i = 0; i < tokens.length && this.#size < TERM_LIMIT; i++) {
      const { grams, short, frame: framing } = found[i] as Word
      const quarters = framing ? frame : 4
      for (let g = 0; g < short; g++) this.#add(grams[g] as number, quarters)
    }
    const short = this.#size
    for (let i = 0; i < tokens.length && this.#size < TERM_LIMIT; i++) {
      const { grams, short: from, frame: framing } = found[i] as Word
      const quarters = framing ? frame : 4
      for (let g = from; g < grams.length; g++) this.#add(grams[g] as number, quarters)
    }
    return { terms: this.#terms.subarray(0, this.#size), counts: this.#counts.subarray(0, this.#size), words, short }
  }

  /** The number of a word's stem, as found among a statement's terms. */
  stemOf(token: string, language: Language): number {
    return this.#word(token, language).stem
  }

  /** How rare a stem is in all that was said: the natural log of the inverse share of texts, plus 1. */
  rarity(stemmed: string): number {
    const term = this.#vocabulary.idOf(stemHash(stemmed))
    const frequency = this.#vocabulary.frequency[term] as number
    return Math.log((this.#vocabulary.texts + 1) / (frequency + 1)) + 1
  }

  #add(term: number, quarters: number): void {
    const seen = this.#seen[term] as number
    if (seen >> PLACE_BITS === this.#stamp) {
      const place = seen & (MOST_PLACES - 1)
      this.#counts[place] = Math.min(255, (this.#counts[place] as number) + quarters)
      return
    }
    this.#seen[term] = (this.#stamp << PLACE_BITS) | this.#size
    this.#terms[this.#size] = term
    this.#counts[this.#size++] = quarters
  }

  #word(token: string, language: Language): Word {
    const key = language === 'en' ? token : `${language}:${token}`
    const known = this.#cache.get(key)
    if (known) return known
    const base = stem(token, language)
    const word: Word = {
      stem: this.#vocabulary.idOf(stemHash(base)),
      grams: this.#grams(` ${token} `),
      short: token.length,
      frame: isFrame(token, language),
    }
    if (this.#cache.size >= CACHE_LIMIT) this.#cache.clear()
    this.#cache.set(key, word)
    return word
  }

  #grams(padded: string): Int32Array {
    const ids: number[] = []
    for (let n = 3; n <= 5; n++) {
      if (padded.length < n) {
        if (n === 3) ids.push(this.#vocabulary.idOf(hashText(padded, 0, padded.length, CHARS_SALT)))
        break
      }
      for (let i = 0; i + n <= padded.length; i++)
        ids.push(this.#vocabulary.idOf(hashText(padded, i, i + n, CHARS_SALT)))
    }
    return Int32Array.from(ids)
  }
}
