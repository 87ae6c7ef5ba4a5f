import { bytesOf } from './base64.ts'
import { type KnownLanguage, type Language } from './language.ts'
import { stemHash } from './term-cache.ts'
import de from './word-vectors/de.json' with { type: 'json' }
import en from './word-vectors/en.json' with { type: 'json' }
import es from './word-vectors/es.json' with { type: 'json' }
import fr from './word-vectors/fr.json' with { type: 'json' }
import pt from './word-vectors/pt.json' with { type: 'json' }

/** Components per vector. */
export const DIMENSIONS: number = en.dimensions

/** Each stem's hash and row. A row's values are integers times its scale. */
type Table = { rows: Map<number, number>; scales: Float32Array; values: Int8Array }

type File = { words: string; scales: string; values: string }
const FILES: { en: File } & Partial<Record<KnownLanguage, File>> = { en, de, fr, es, pt }
const loadedTables: Partial<Record<KnownLanguage, Table>> = {}

/**
 * The built-in word vectors of a language: 21,211 English stems and 23,879 of the other languages together, in one
 * space, so that words of similar meaning have similar directions, across languages too. Origin, construction and
 * licences: `word-vectors/README.md`. A language without a file has the English table.
 */
function tableOf(language: KnownLanguage): Table {
  const known = loadedTables[language]
  if (known) return known
  const file = FILES[language]
  if (!file) return tableOf('en')
  const rows = new Map<number, number>()
  file.words.split(' ').forEach((word, row) => {
    rows.set(stemHash(word), row)
  })
  const scales = new Float32Array(bytesOf(file.scales).buffer)
  const values = new Int8Array(bytesOf(file.values).buffer)
  const table = { rows, scales, values }
  loadedTables[language] = table
  return table
}

/**
 * Adds the vector of the stem with this hash, times `times`, to `sum` from offset `at` on. Falls back to English for
 * borrowed words (`login`). False if the stem is unknown.
 */
export function addWordVector(hash: number, language: Language, times: number, sum: Float32Array, at: number): boolean {
  if (language === 'other') return false
  return add(tableOf(language), hash, times, sum, at) || (language !== 'en' && add(tableOf('en'), hash, times, sum, at))
}

/** Whether the table knows the word of this stem in the language or in English. */
export function knowsStem(stemmed: string, language: KnownLanguage): boolean {
  const hash = stemHash(stemmed)
  return tableOf(language).rows.has(hash) || tableOf('en').rows.has(hash)
}

/** The normalised mean of the words' vectors; all 0 if none is known. */
export function meanWordVector(stems: Iterable<string>, language: Language): Float32Array {
  const sum = new Float32Array(DIMENSIONS)
  for (const stemmed of stems) addWordVector(stemHash(stemmed), language, 1, sum, 0)
  const length = Math.sqrt(dot(sum, sum))
  return length > 0 ? sum.map((value) => value / length) : sum
}

/** The dot product; the cosine of two unit vectors. */
export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number)
  return sum
}

function add({ rows, scales, values }: Table, hash: number, times: number, sum: Float32Array, at: number): boolean {
  const row = rows.get(hash)
  if (row === undefined) return false
  const scale = (scales[row] as number) * times
  const from = row * DIMENSIONS
  for (let i = 0; i < DIMENSIONS; i++) sum[at + i] = (sum[at + i] as number) + scale * (values[from + i] as number)
  return true
}
