import { guessLanguage, type Language, languageFromHints } from './language.ts'
import { noiseFlagsOf } from './noise.ts'
import { MAX_TOKENS, normalise, tokenise, tokeniseToIds } from './normalise.ts'
import { stemHash, TermCache } from './term-cache.ts'
import { hashWords, type Vocabulary } from './vocabulary.ts'

const TERM_TARGET = 600
/** Upper bound of terms per statement: the target, plus the terms of the last word. */
export const MAX_TERMS = 2 * TERM_TARGET
/** Slots of the hash table that finds a statement's terms; a power of two. */
const HASH_SLOTS = 4 * 1_024
const POSITION_BITS = 11
const MAX_POSITIONS = 1 << POSITION_BITS
const MAX_STAMP = 2 ** (31 - POSITION_BITS) - 1

/**
 * A statement as sparse term counts. The first `words` terms are stems, those up to `short` are trigrams, the rest
 * are 4- and 5-grams, which only revisions use. Counts are in quarters: an occurrence counts 4, and fewer for a stop
 * word in a long statement.
 */
export type Features = {
  terms: Int32Array
  counts: Uint8Array
  words: number
  short: number
  /** of a sentence encoder */
  vector?: Int8Array
}

/**
 * A tokenised text. `noiseFlags` starts with `noiseFlagsOf` of each token, `tokenIds` with the ids in the token table
 * of the extractor that analysed it.
 */
export type AnalysedText = {
  tokens: string[]
  noiseFlags: ArrayLike<number>
  language: Language
  hash: number
  tokenIds?: ArrayLike<number>
}

/**
 * Tokens, language, and a 53-bit hash of the tokens, which is equal for texts that differ only in markup and
 * punctuation.
 */
export function analyse(text: string): AnalysedText {
  const tokens = tokenise(normalise(text))
  return { tokens, noiseFlags: tokens.map(noiseFlagsOf), language: guessLanguage(tokens), hash: hashWords(tokens) }
}

/** The likely language of a text. */
export function languageOf(text: string): Language {
  return analyse(text).language
}

/**
 * The count of a stop word, in quarters. Short questions differ by how they ask; in a long message stop words are
 * accidental.
 */
function stopwordQuarters(tokens: number): number {
  if (tokens <= 10) return 4
  if (tokens <= 13) return 3
  return tokens <= 17 ? 2 : 1
}

/** Features of a text without words. It is similar to nothing. */
export const EMPTY_FEATURES: Features = { terms: new Int32Array(0), counts: new Uint8Array(0), words: 0, short: 0 }

/** A copy of transient features. */
function copyOf({ terms, counts, words, short }: Features): Features {
  return { terms: terms.slice(), counts: counts.slice(), words, short }
}

/**
 * Turns texts into tokens and tokens into features. Owns working memory: some results are valid only until the next
 * call.
 */
export class FeatureExtractor {
  #vocabulary: Vocabulary
  #termCache: TermCache
  /** of the tokens of the last analysed text */
  #tokenIds = new Int32Array(MAX_TOKENS)
  #noiseFlags = new Uint8Array(MAX_TOKENS)
  #languageHints = new Uint16Array(MAX_TOKENS)
  /** term-cache records of the current statement's words */
  #records = new Int32Array(MAX_TOKENS)
  /** the current statement's terms and their counts */
  #terms = new Int32Array(MAX_TERMS)
  #counts = new Uint8Array(MAX_TERMS)
  #size = 0
  /** hash table of the current statement's terms: stamp of the statement × 2,048 + the term's position */
  #slots = new Int32Array(HASH_SLOTS)
  #stamp = 0

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary
    this.#termCache = new TermCache(vocabulary)
  }

  /**
   * Same result as the function `analyse`, faster for known words. Everything but `tokens` is valid only until the
   * next call.
   */
  analyse(text: string): AnalysedText {
    this.#termCache.evictIfFull()
    const { tokens: table } = this.#termCache
    const normal = normalise(text)
    let size = tokeniseToIds(normal, table, this.#tokenIds)
    if (size < 0) {
      const found = tokenise(normal)
      size = found.length
      for (let i = 0; i < size; i++) this.#tokenIds[i] = table.idOf(found[i] as string)
    }
    const tokens: string[] = []
    for (let i = 0; i < size; i++) {
      const id = this.#tokenIds[i] as number
      tokens.push(table.texts[id] as string)
      this.#noiseFlags[i] = table.noiseFlags[id] as number
      this.#languageHints[i] = table.languageHints[id] as number
    }
    const language = languageFromHints(this.#languageHints, size)
    return { tokens, noiseFlags: this.#noiseFlags, language, hash: hashWords(tokens), tokenIds: this.#tokenIds }
  }

  /**
   * Counts of a text's stems and of its character n-grams of length 3 to 5; extraction stops at the first word that
   * reaches 600 terms.
   */
  extract(reading: AnalysedText): Features {
    return copyOf(this.extractTransient(reading))
  }

  /** Same as `extract` without copying: the result is valid only until the next call. */
  extractTransient({ tokens, language, tokenIds }: AnalysedText): Features {
    const words = this.#termCache
    const records = this.#records
    const size = tokens.length
    for (let i = 0; i < size; i++) {
      records[i] = words.record(tokenIds?.[i] ?? words.tokens.idOf(tokens[i] as string), language)
    }
    if (this.#stamp === MAX_STAMP) {
      this.#slots.fill(0)
      this.#stamp = 0
    }
    this.#stamp++
    this.#size = 0
    const quarters = stopwordQuarters(size)
    for (let i = 0; i < size; i++) {
      const word = records[i] as number
      this.#add(words.stem(word), words.isStopword(word) ? quarters : 4)
    }
    const stems = this.#size
    for (let i = 0; i < size && this.#size < TERM_TARGET; i++) {
      const word = records[i] as number
      this.#addAll(words.trigramsStart(word), words.longNgramsStart(word), words.isStopword(word) ? quarters : 4)
    }
    const short = this.#size
    for (let i = 0; i < size && this.#size < TERM_TARGET; i++) {
      const word = records[i] as number
      this.#addAll(words.longNgramsStart(word), words.ngramsEnd(word), words.isStopword(word) ? quarters : 4)
    }
    return {
      terms: this.#terms.subarray(0, this.#size),
      counts: this.#counts.subarray(0, this.#size),
      words: stems,
      short,
    }
  }

  /** The stem (as a term id) of a token of the last extracted text, and whether it is a stop word. */
  stemAt(token: number): { stem: number; isStopword: boolean } {
    const record = this.#records[token] as number
    return { stem: this.#termCache.stem(record), isStopword: this.#termCache.isStopword(record) }
  }

  /** How rare a stem is in this workspace: natural log of the inverse document frequency, plus 1. */
  rarity(stemmed: string): number {
    const term = this.#vocabulary.idOf(stemHash(stemmed))
    const frequency = this.#vocabulary.frequency[term] as number
    return Math.log((this.#vocabulary.texts + 1) / (frequency + 1)) + 1
  }

  #addAll(from: number, until: number, quarters: number): void {
    const { pool } = this.#termCache
    for (let at = from; at < until; at++) this.#add(pool[at] as number, quarters)
  }

  #add(term: number, quarters: number): void {
    const slots = this.#slots
    let at = (Math.imul(term, 0x9e3779b1) >>> 20) & (HASH_SLOTS - 1)
    for (;;) {
      const held = slots[at] as number
      if (held >> POSITION_BITS !== this.#stamp) break
      const place = held & (MAX_POSITIONS - 1)
      if (this.#terms[place] === term) {
        this.#counts[place] = Math.min(255, (this.#counts[place] as number) + quarters)
        return
      }
      at = (at + 1) & (HASH_SLOTS - 1)
    }
    slots[at] = (this.#stamp << POSITION_BITS) | this.#size
    this.#terms[this.#size] = term
    this.#counts[this.#size++] = quarters
  }
}
