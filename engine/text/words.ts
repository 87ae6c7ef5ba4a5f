import { isFrame } from './frame.ts'
import { type Language, stem } from './language.ts'
import { Lexicon } from './lexicon.ts'
import { hashText, type Vocabulary } from './vocabulary.ts'

const WORD_SALT = 0x51ed27
const CHARS_SALT = 0x9e3779
const LIMIT = 60_000
const FRAME = 1
const SHORT = 2
const ALL = 3
const HEAD = 4

/** The hash of a stem, by which the vocabulary knows it. */
export function stemHash(stemmed: string): number {
  return hashText(stemmed, 0, stemmed.length, WORD_SALT)
}

/**
 * The terms of words. What was worked out about a word is kept, because words repeat; that only saves time and never changes a result.
 * A record is a place in `pool`, where there lie: the number of the word's stem, 1 for a word of a sentence's frame, how many of its pieces have
 * three letters, how many pieces there are, and the pieces.
 */
export class Words {
  lexicon = new Lexicon()
  pool = new Int32Array(1 << 14)
  #size = 1
  #vocabulary: Vocabulary
  /** by language, for each number of the lexicon the record; 0: not worked out yet */
  #records = new Map<Language, Int32Array>()

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary
  }

  /** Forgets everything when it has become much. What numbers and records mean changes then. */
  tidy(): void {
    if (this.lexicon.texts.length <= LIMIT) return
    this.lexicon = new Lexicon()
    this.#records.clear()
    this.#size = 1
  }

  /** The number of a word's stem. */
  stem(record: number): number {
    return this.pool[record] as number
  }

  /** Whether a word is one of a sentence's frame. */
  frames(record: number): boolean {
    return this.pool[record + FRAME] === 1
  }

  /** Where in the pool a word's pieces of three letters begin. */
  pieces(record: number): number {
    return record + HEAD
  }

  /** Where they end and its longer pieces begin. */
  longPieces(record: number): number {
    return record + HEAD + (this.pool[record + SHORT] as number)
  }

  /** Where these end. */
  end(record: number): number {
    return record + HEAD + (this.pool[record + ALL] as number)
  }

  /** The record of the word with this number of the lexicon. */
  record(number: number, language: Language): number {
    const known = this.#records.get(language)
    if (known && number < known.length && known[number] !== 0) return known[number] as number
    return this.#enter(number, language)
  }

  #enter(number: number, language: Language): number {
    const word = this.lexicon.texts[number] as string
    const record = this.#size
    const most = HEAD + 3 * (word.length + 2)
    if (record + most > this.pool.length) this.pool = widened(this.pool, record + most)
    const { pool } = this
    pool[record] = this.#vocabulary.idOf(stemHash(stem(word, language)))
    pool[record + FRAME] = isFrame(word, language) ? 1 : 0
    pool[record + SHORT] = word.length
    pool[record + ALL] = this.#pieces(` ${word} `, record + HEAD)
    this.#size = record + HEAD + (pool[record + ALL] as number)
    let records = this.#records.get(language) ?? new Int32Array(1 << 12)
    if (number >= records.length) records = widened(records, number + 1)
    records[number] = record
    this.#records.set(language, records)
    return record
  }

  /** Writes the terms of a word's pieces of three, then four, then five letters to the pool and returns how many these are. */
  #pieces(padded: string, from: number): number {
    let at = from
    for (let length = 3; length <= 5 && length <= padded.length; length++) {
      for (let i = 0; i + length <= padded.length; i++)
        this.pool[at++] = this.#vocabulary.idOf(hashText(padded, i, i + length, CHARS_SALT))
    }
    return at - from
  }
}

function widened(values: Int32Array, room: number): Int32Array<ArrayBuffer> {
  const wider = new Int32Array(Math.max(room, values.length * 2))
  wider.set(values)
  return wider
}
