import table from './word-vectors/table.json' with { type: 'json' }
import { stemHash } from './words.ts'

/** How many numbers a vector has. */
export const DIMENSIONS: number = table.dimensions

/** Each stem's hash and row; each row's values are whole numbers times its scale. */
type Table = { rows: Map<number, number>; scales: Float32Array; values: Int8Array }

let opened: Table | undefined

/**
 * What is known of English words beforehand: a vector for each of 21,211 stems, so that words of one meaning point one way.
 * Part of the program, like a list of stop words. How it was made, from what, and under which licences:
 * `word-vectors/README.md`.
 */
function open(): Table {
  if (opened) return opened
  const rows = new Map<number, number>()
  table.words.split(' ').forEach((word, row) => {
    rows.set(stemHash(word), row)
  })
  const scales = new Float32Array(bytesOf(table.scales).buffer)
  const values = new Int8Array(bytesOf(table.values).buffer)
  opened = { rows, scales, values }
  return opened
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64)
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i)
  return bytes
}

/** Adds the vector of the stem with this hash, `times` over, to `sum` from `at` on. False: the stem is not known. */
export function addWordVector(hash: number, times: number, sum: Float32Array, at: number): boolean {
  const { rows, scales, values } = open()
  const row = rows.get(hash)
  if (row === undefined) return false
  const scale = (scales[row] as number) * times
  const from = row * DIMENSIONS
  for (let i = 0; i < DIMENSIONS; i++) sum[at + i] = (sum[at + i] as number) + scale * (values[from + i] as number)
  return true
}
