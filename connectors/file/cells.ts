import { parseDate } from './dates/dates.ts'

export type Kind = 'number' | 'date' | 'link' | 'email' | 'boolean' | 'code' | 'text'

const NUMBER = /^[-+]?[$€£]?\d[\d.,' ]*%?$/
const LINK = /^https?:\/\/\S+$/i
const EMAIL = /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/
const BOOLEAN = /^(true|false|yes|no|ja|nein)$/i
const UUID = /^[\da-f]{8}-?([\da-f]{4}-?){3}[\da-f]{12}$/i
/** Words contain no digits; ticket keys, versions and tokens do. */
const CODE = /^(?=\S*\d)(?=\S*[\p{L}_])[\p{L}\d_:./#-]{6,}$/u
/** Digits alone are a number, even if they could be a time. */
const DIGITS = /^[\d.,]+$/

/** The kind of a single non-empty cell. */
export function kindOf(cell: string): Kind {
  if (!DIGITS.test(cell) && (parseDate(cell, false) ?? parseDate(cell, true))) return 'date'
  if (/^\d{1,2}\.\d{1,2}\.\d{2,4}$/.test(cell)) return 'date'
  if (NUMBER.test(cell)) return 'number'
  if (LINK.test(cell)) return 'link'
  if (EMAIL.test(cell)) return 'email'
  if (BOOLEAN.test(cell)) return 'boolean'
  if (UUID.test(cell) || CODE.test(cell)) return 'code'
  return 'text'
}

/** Whether a cell is a UUID in its usual form. */
export const isUuid = (cell: string): boolean => UUID.test(cell)

const MIN_MAJORITY = 0.8
const SAMPLE = 200

/**
 * One column of the first rows. `cells` are the non-empty ones; `kind` is the kind of at least four in five of them, else
 * `mixed`; null without cells. `words` is the average number of words in a cell; `distinct` the number of different cells.
 */
export type Column = {
  cells: readonly string[]
  kind: Kind | 'mixed' | null
  words: number
  distinct: number
}

/** The column at this index, from 0, of the first 200 rows. */
export function columnAt(rows: readonly (readonly string[])[], at: number): Column {
  const cells = rows
    .slice(0, SAMPLE)
    .map((row) => row[at]?.trim() ?? '')
    .filter((cell) => cell !== '')
  const counts = new Map<Kind, number>()
  for (const cell of cells) {
    const kind = kindOf(cell)
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  const [most] = [...counts].toSorted((a, b) => b[1] - a[1])
  const kind = !most ? null : most[1] >= cells.length * MIN_MAJORITY ? most[0] : 'mixed'
  const total = cells.reduce((sum, cell) => sum + wordCount(cell), 0)
  return { cells, kind, words: total / Math.max(cells.length, 1), distinct: new Set(cells).size }
}

/** How many parts of a cell are separated by spaces. */
export const wordCount = (cell: string): number => cell.split(/\s+/).filter(Boolean).length
