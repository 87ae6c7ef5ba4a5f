import { isPairOfHan, lettersOf } from './hangul-and-han.ts'
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

/** The hash under which the vocabulary stores a stem. */
export function stemHash(stemmed: string): number {
  return hashText(stemmed, 0, stemmed.length, WORD_SALT)
}

/**
 * Caches the terms of words, because words repeat. Saves time only; results never depend on it.
 * A record is an offset in `pool`. It holds the stem's term id, 1 if the word is a stop word, the number of trigrams,
 * the number of all n-grams, and the n-grams' term ids. N-grams are of letters: a Hangul syllable is two or three, and two Chinese
 * characters count one by one in place of trigrams.
 */
export class TermCache {
  tokens = new TokenTable()
  pool = new Int32Array(1 << 14)
  #size = 1
  #vocabulary: Vocabulary
  /** per language: token id → record, 0 if not computed yet */
  #records = new Map<Language, Int32Array>()

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary
  }

  /** Clears the cache once it is too large. Token ids and records obtained earlier become invalid. */
  evictIfFull(): void {
    if (this.tokens.texts.length <= MAX_CACHED_WORDS) return
    this.tokens = new TokenTable()
    this.#records.clear()
    this.#size = 1
  }

  /** The term id of a word's stem. */
  stem(record: number): number {
    return this.pool[record] as number
  }

  /** Whether the word is a stop word. */
  isStopword(record: number): boolean {
    return this.pool[record + STOPWORD_OFFSET] === 1
  }

  /** Offset in the pool where a word's trigrams begin. */
  trigramsStart(record: number): number {
    return record + HEADER_LENGTH
  }

  /** Offset where its trigrams end and its longer n-grams begin. */
  longNgramsStart(record: number): number {
    return record + HEADER_LENGTH + (this.pool[record + TRIGRAMS_OFFSET] as number)
  }

  /** Offset where its n-grams end. */
  ngramsEnd(record: number): number {
    return record + HEADER_LENGTH + (this.pool[record + NGRAMS_OFFSET] as number)
  }

  /** The record of the token with this id in `tokens`. */
  record(number: number, language: Language): number {
    const known = this.#records.get(language)
    if (known && number < known.length && known[number] !== 0) return known[number] as number
    return this.#createRecord(number, language)
  }

  #createRecord(number: number, language: Language): number {
    const word = this.tokens.texts[number] as string
    const record = this.#size
    const letters = lettersOf(word)
    const most = HEADER_LENGTH + 3 * (letters.length + 2)
    if (record + most > this.pool.length) this.pool = grown(this.pool, record + most)
    const { pool } = this
    pool[record] = this.#vocabulary.idOf(stemHash(stem(word, language)))
    pool[record + STOPWORD_OFFSET] = isStopword(word, language) ? 1 : 0
    if (isPairOfHan(word)) {
      // Its n-grams would be the pair itself again; the characters have a meaning of their own.
      for (let i = 0; i < word.length; i++)
        pool[record + HEADER_LENGTH + i] = this.#vocabulary.idOf(hashText(word, i, i + 1, CHARS_SALT))
      pool[record + TRIGRAMS_OFFSET] = word.length
      pool[record + NGRAMS_OFFSET] = word.length
    } else {
      pool[record + TRIGRAMS_OFFSET] = letters.length
      pool[record + NGRAMS_OFFSET] = this.#writeNgrams(` ${letters} `, record + HEADER_LENGTH)
    }
    this.#size = record + HEADER_LENGTH + (pool[record + NGRAMS_OFFSET] as number)
    let records = this.#records.get(language) ?? new Int32Array(1 << 12)
    if (number >= records.length) records = grown(records, number + 1)
    records[number] = record
    this.#records.set(language, records)
    return record
  }

  /** Writes the word's n-grams of length three, then four, then five to the pool. Returns how many there are. */
  #writeNgrams(padded: string, from: number): number {
    let at = from
    for (let length = 3; length <= 5 && length <= padded.length; length++) {
      for (let i = 0; i + length <= padded.length; i++)
        this.pool[at++] = this.#vocabulary.idOf(hashText(padded, i, i + length, CHARS_SALT))
    }
    return at - from
  }
}

function grown(values: Int32Array, capacity: number): Int32Array<ArrayBuffer> {
  const wider = new Int32Array(Math.max(capacity, values.length * 2))
  wider.set(values)
  return wider
}
