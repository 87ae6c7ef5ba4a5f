import { guessLanguage, type Language, languageFromHints } from './language.ts'
import { noiseFlagsOf } from './noise.ts'
import { MAX_TOKENS, normalise, tokenise, tokeniseToIds } from './normalise.ts'
import { stemHash, TermCache } from './term-cache.ts'
import { hashWords, type Vocabulary } from './vocabulary.ts'

const TERM_TARGET = 600
/** No statement has more: the limit, and as many terms again as the last word may have. */
export const MAX_TERMS = 2 * TERM_TARGET
/** Room for the terms of one statement, by which each is found again; a power of two. */
const HASH_SLOTS = 4 * 1_024
const POSITION_BITS = 11
const MAX_POSITIONS = 1 << POSITION_BITS
const MAX_STAMP = 2 ** (31 - POSITION_BITS) - 1

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
 * they are called in the lexicon of the extractor that read it.
 */
export type AnalysedText = {
  tokens: string[]
  noiseFlags: ArrayLike<number>
  language: Language
  hash: number
  tokenIds?: ArrayLike<number>
}

/** Words of a statement, its language, and a 53-bit hash of its words: equal for texts that differ in markup alone. */
export function analyse(text: string): AnalysedText {
  const tokens = tokenise(normalise(text))
  return { tokens, noiseFlags: tokens.map(noiseFlagsOf), language: guessLanguage(tokens), hash: hashWords(tokens) }
}

/**
 * What a frame word counts, in quarters. A short question is told from others by how it asks; in a long message the same
 * words are accidents.
 */
function stopwordQuarters(tokens: number): number {
  if (tokens <= 10) return 4
  if (tokens <= 13) return 3
  return tokens <= 17 ? 2 : 1
}

/** What has no words is like nothing. */
export const EMPTY_FEATURES: Features = { terms: new Int32Array(0), counts: new Uint8Array(0), words: 0, short: 0 }

/** A copy of features that were only glanced at. */
function copyOf({ terms, counts, words, short }: Features): Features {
  return { terms: terms.slice(), counts: counts.slice(), words, short }
}

/** Turns texts into readings, and readings into features. Holds working memory: what it returns is often good until the next call only. */
export class FeatureExtractor {
  #vocabulary: Vocabulary
  #termCache: TermCache
  /** of the words of the text that was read last */
  #tokenIds = new Int32Array(MAX_TOKENS)
  #noiseFlags = new Uint8Array(MAX_TOKENS)
  #languageHints = new Uint16Array(MAX_TOKENS)
  /** the words of the statement at hand, as records */
  #records = new Int32Array(MAX_TOKENS)
  /** the terms of the statement at hand and their counts */
  #terms = new Int32Array(MAX_TERMS)
  #counts = new Uint8Array(MAX_TERMS)
  #size = 0
  /** where a term is among them, by its hash: the number of the last statement that held one of this hash, times 2,048, and its place */
  #slots = new Int32Array(HASH_SLOTS)
  #stamp = 0

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary
    this.#termCache = new TermCache(vocabulary)
  }

  /** The same as `read`, in less time where most words were seen before; but for `tokens` it holds until the next text is read. */
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

  /** The counts of a reading's stems and of its character n-grams of 3 to 5, at most 600 terms, and those of the word with which they are reached. */
  extract(reading: AnalysedText): Features {
    return copyOf(this.extractTransient(reading))
  }

  /** The same for a look only: what is returned holds until the next reading is represented. */
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

  /** The stem of each token of the reading that was represented last, as found among its terms; and whether the word is one of a sentence's frame. */
  stemAt(token: number): { stem: number; isStopword: boolean } {
    const record = this.#records[token] as number
    return { stem: this.#termCache.stem(record), isStopword: this.#termCache.isStopword(record) }
  }

  /** How rare a stem is in all that was said: the natural log of the inverse share of texts, plus 1. */
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
