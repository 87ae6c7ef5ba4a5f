import path from 'node:path'
import { expect, test } from 'vitest'
import { reworded, withOtherSynonyms } from './drift.ts'
import { encoderFor } from './reading-runs.ts'
import { readingsOf, withReadings } from './readings.ts'
import { type Row, readRows, stream } from './stream.ts'

/** Subjects of the small set, the most frequent ones. */
const SUBJECTS = 6
/** What other words in each batch may cost, in points. */
const MAX_LOSS = 5

test('each reader has words of its own, the longest that fits; the first that of the list', () => {
  const point = 'Door code is missing from the booking confirmation'
  expect(reworded(point, 0)).toBe('door code is missing from the booking confirmation')
  expect(reworded(point, 1)).toBe('access code is absent from the reservation confirmation')
  expect(reworded('Export stops', 5)).toBe('Export ends')
})

test('other synonyms in each batch of readings cost few points, on a small set', async () => {
  const rows = smallSet()
  const other = withOtherSynonyms(rows)
  const points = (some: readonly Row[]) => some.flatMap((row) => row.points?.map(({ point }) => point) ?? [])
  const changed = points(other).filter((point) => !points(rows).includes(point))
  expect(changed.length).toBeGreaterThan(points(rows).length / 3)
  const [before, after] = await Promise.all([scores(rows), scores(other)])
  expect(before.inScope).toBeGreaterThan(80)
  expect(before.groupedPrecision).toBeGreaterThan(85)
  expect(after.inScope).toBeGreaterThan(before.inScope - MAX_LOSS)
  expect(after.groupedPrecision).toBeGreaterThan(before.groupedPrecision - MAX_LOSS)
})

function smallSet(): Row[] {
  const file = path.join(import.meta.dirname, 'companies', 'hotel.jsonl')
  const rows = withReadings(readRows(file), readingsOf(file) as string)
  const sizes = Map.groupBy(rows, ({ label }) => label)
  sizes.delete(null)
  const largest = [...sizes].sort((a, b) => b[1].length - a[1].length).slice(0, SUBJECTS)
  return largest.flatMap(([, ofSubject]) => ofSubject).toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0))
}

async function scores(rows: Row[]): Promise<{ inScope: number; groupedPrecision: number }> {
  const encoder = await encoderFor(rows)
  if (!encoder) throw new Error('the encoder’s weights are not installed')
  const { inScope, groupedPrecision } = stream(rows, 1, { encoder })
  return { inScope: inScope ?? 0, groupedPrecision: groupedPrecision ?? 0 }
}
