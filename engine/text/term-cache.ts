import { type Language, stem } from './language.ts'
import { isStopword } from './stopwords.ts'
import { TokenTable } from './token-table.ts'
import { hashText, type Vocabulary } from './vocabulary.ts'

const WORD_SALT = 0x51ed27
const CHARS_SALT = 0x9e3779
const MAX_CACHED_WORDS = 60_000
const STOPWORD_OFFSET = 1
const TRIGRAMS_OFFSET = 2
const NGRAMS_OFFSET = 3
const HEADER_LENGTH = 4

/** The hash of a stem, by which the vocabulary knows it. */
export function stemHash(stemmed: string): number {
  return hashText(stemmed, 0, stemmed.length, WORD_SALT)
}

/**
 * The terms of words. What was worked out about a word is kept, because words repeat; that only saves time and never changes a result.
 * A record is a place in `pool`, where there lie: the number of the word's stem, 1 for a word of a sentence's frame, how many of its pieces have
 * three letters, how many pieces there are, and the pieces.
 */
export class TermCache {
  tokens = new TokenTable()
  pool = new Int32Array(1 << 14)
  #size = 1
  #vocabulary: Vocabulary
  /** by language, for each number of the lexicon the record; 0: not worked out yet */
  #records = new Map<Language, Int32Array>()

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary
  }

  /** Forgets everything when it has become much. What numbers and records mean changes then. */
  evictIfFull(): void {
    if (this.tokens.texts.length <= MAX_CACHED_WORDS) return
    this.tokens = new TokenTable()
    this.#records.clear()
    this.#size = 1
  }

  /** The number of a word's stem. */
  stem(record: number): number {
    return this.pool[record] as number
  }

  /** Whether a word is one of a sentence's frame. */
  isStopword(record: number): boolean {
    return this.pool[record + STOPWORD_OFFSET] === 1
  }

  /** Where in the pool a word's pieces of three letters begin. */
  trigramsStart(record: number): number {
    return record + HEADER_LENGTH
  }

  /** Where they end and its longer pieces begin. */
  longNgramsStart(record: number): number {
    return record + HEADER_LENGTH + (this.pool[record + TRIGRAMS_OFFSET] as number)
  }

  /** Where these end. */
  ngramsEnd(record: number): number {
    return record + HEADER_LENGTH + (this.pool[record + NGRAMS_OFFSET] as number)
  }

  /** The record of the word with this number of the lexicon. */
  record(number: number, language: Language): number {
    const known = this.#records.get(language)
    if (known && number < known.length && known[number] !== 0) return known[number] as number
    return this.#createRecord(number, language)
  }

  #createRecord(number: number, language: Language): number {
    const word = this.tokens.texts[number] as string
    const record = this.#size
    const most = HEADER_LENGTH + 3 * (word.length + 2)
    if (record + most > this.pool.length) this.pool = grown(this.pool, record + most)
    const { pool } = this
    pool[record] = this.#vocabulary.idOf(stemHash(stem(word, language)))
    pool[record + STOPWORD_OFFSET] = isStopword(word, language) ? 1 : 0
    pool[record + TRIGRAMS_OFFSET] = word.length
    pool[record + NGRAMS_OFFSET] = this.#writeNgrams(` ${word} `, record + HEADER_LENGTH)
    this.#size = record + HEADER_LENGTH + (pool[record + NGRAMS_OFFSET] as number)
    let records = this.#records.get(language) ?? new Int32Array(1 << 12)
    if (number >= records.length) records = grown(records, number + 1)
    records[number] = record
    this.#records.set(language, records)
    return record
  }

  /** Writes the terms of a word's pieces of three, then four, then five letters to the pool and returns how many these are. */
  #writeNgrams(padded: string, from: number): number {
    let at = from
    for (let length = 3; length <= 5 && length <= padded.length; length++) {
      for (let i = 0; i + length <= padded.length; i++)
        this.pool[at++] = this.#vocabulary.idOf(hashText(padded, i, i + length, CHARS_SALT))
    }
    return at - from
  }
}

function grown(values: Int32Array, room: number): Int32Array<ArrayBuffer> {
  const wider = new Int32Array(Math.max(room, values.length * 2))
  wider.set(values)
  return wider
}
