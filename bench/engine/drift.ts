import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Row } from './stream.ts'

/** Messages that a model reads at once. */
const BATCH = 30

type Synonyms = { pattern: RegExp; groups: ReadonlyMap<string, readonly string[]> }

let known: Synonyms | undefined

/**
 * The rows as if each batch had been read by a reader with words of its own: in the n-th 30 messages, in order of arrival, each word of
 * `readings/synonyms.txt` is replaced by the n-th of its synonyms. What the customers wrote stays.
 */
export function withOtherSynonyms(rows: readonly Row[]): Row[] {
  const order = [...rows].sort((a, b) => (a.at ?? 0) - (b.at ?? 0))
  return order.map((row, i) =>
    row.points
      ? { ...row, points: row.points.map((one) => ({ ...one, point: reworded(one.point, Math.floor(i / BATCH)) })) }
      : row,
  )
}

/** The point in the words of the reader with this number. */
export function reworded(point: string, reader: number): string {
  known ??= readSynonyms()
  const { pattern, groups } = known
  return point.replace(pattern, (word) => {
    const group = groups.get(word.toLowerCase()) as readonly string[]
    return group[reader % group.length] as string
  })
}

function readSynonyms(): Synonyms {
  const lines = readFileSync(path.join(import.meta.dirname, 'readings', 'synonyms.txt'), 'utf8')
    .trim()
    .split('\n')
  const groups = new Map<string, readonly string[]>()
  for (const group of lines.map((line) => line.split(' | '))) {
    for (const word of group) if (!groups.has(word.toLowerCase())) groups.set(word.toLowerCase(), group)
  }
  // Longer ones first, so that “time entries” is not read as “entries”.
  const words = [...groups.keys()].sort((a, b) => b.length - a.length)
  return { groups, pattern: new RegExp(`(?<![\\p{L}-])(?:${words.join('|')})(?![\\p{L}-])`, 'giu') }
}
