import { type KnownLanguage, type Language } from './language.ts'
import { stemHash } from './term-cache.ts'
import de from './word-vectors/de.json' with { type: 'json' }
import en from './word-vectors/en.json' with { type: 'json' }
import es from './word-vectors/es.json' with { type: 'json' }
import fr from './word-vectors/fr.json' with { type: 'json' }
import pt from './word-vectors/pt.json' with { type: 'json' }

/** How many numbers a vector has. */
export const DIMENSIONS: number = en.dimensions

/** Each stem's hash and row; each row's values are whole numbers times its scale. */
type Table = { rows: Map<number, number>; scales: Float32Array; values: Int8Array }

const FILES: Record<KnownLanguage, { words: string; scales: string; values: string }> = { en, de, fr, es, pt }
const loadedTables: Partial<Record<KnownLanguage, Table>> = {}

/**
 * What is known of a language's words beforehand: a vector for each of 21,211 English stems and some 24,000 of the others, so
 * that words of one meaning point one way, also those of two languages. Part of the program, like a list of stop words. How it
 * was made, from what, and under which licences: `word-vectors/README.md`.
 */
function tableOf(language: KnownLanguage): Table {
  const known = loadedTables[language]
  if (known) return known
  const file = FILES[language]
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

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64)
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i)
  return bytes
}

/**
 * Adds the vector of the stem with this hash, as a word of this language, `times` over, to `sum` from `at` on. A word that the
 * language has from English (`login`) is read as English. False: the stem is not known.
 */
export function addWordVector(hash: number, language: Language, times: number, sum: Float32Array, at: number): boolean {
  if (language === 'other') return false
  return add(tableOf(language), hash, times, sum, at) || (language !== 'en' && add(tableOf('en'), hash, times, sum, at))
}

/** Where these words of a language point together, of length 1; all 0 where none is known. */
export function meanWordVector(stems: Iterable<string>, language: Language): Float32Array {
  const sum = new Float32Array(DIMENSIONS)
  for (const stemmed of stems) addWordVector(stemHash(stemmed), language, 1, sum, 0)
  const length = Math.sqrt(dot(sum, sum))
  return length > 0 ? sum.map((value) => value / length) : sum
}

/** Of two directions: their cosine, 0 where one is unknown. */
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
