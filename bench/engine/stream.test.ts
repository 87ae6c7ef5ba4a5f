import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { labelOf, SAMPLE } from '@groundswell/fixtures/engine/feedback.ts'
import { expect, test } from 'vitest'
import { arrivals, type Row, readRows, stream } from './stream.ts'

const ROWS: Row[] = SAMPLE.map((item) => ({ text: item.text, label: labelOf(item.id) }))

test('a stream of the sample is grouped by its labels', () => {
  const result = stream(ROWS, 1, { batch: 5 })
  expect(result.precision).toBeGreaterThan(95)
  expect(result.recall).toBeGreaterThan(80)
  expect(result.noiseGrouped).toBe(0)
  expect(result.state.revisions).toBeGreaterThanOrEqual(1)
  expect(result.discovered).toBe(100)
  expect(result).toMatchObject({ majority: 100, pure: 100, noise: 0, insights: result.groups, emerging: 0 })
  expect(result.inScope).toBe(result.coverage)
})

test('the same seed gives the same result; rows with times keep their order', () => {
  const { cpuMs: _, state: first, ...once } = stream(ROWS, 2, { batch: 5 })
  const { cpuMs: __, state: second, ...again } = stream(ROWS, 2, { batch: 5 })
  expect(again).toEqual(once)
  expect([...second.statementIndex.keys()]).toEqual([...first.statementIndex.keys()])
  const timed = stream(
    ROWS.map((row, i) => ({ ...row, id: `row${i}`, at: 100 - i })),
    1,
  )
  const ids = [...timed.state.statementIds].filter((id) => id !== '')
  expect(ids.slice(0, 2)).toEqual(['row18:0', 'row17:0'])
})

test('files of text and label, and of JSON lines, are read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rows-'))
  try {
    writeFileSync(join(folder, 'a.tsv'), 'the export fails\texport\nhello\toos\n\n')
    writeFileSync(
      join(folder, 'a.jsonl'),
      `${JSON.stringify({ id: 'x', text: 'same', label: null, thread: 'y', at: 3 })}\n${JSON.stringify({ id: 'y', text: 'a', label: 'b', thread: null, at: 1 })}\n`,
    )
    expect(readRows(join(folder, 'a.tsv'))).toEqual([
      { text: 'the export fails', label: 'export' },
      { text: 'hello', label: null },
    ])
    expect(readRows(join(folder, 'a.jsonl'))).toEqual([
      { id: 'x', text: 'same', label: null, thread: 'y', at: 3 },
      { id: 'y', text: 'a', label: 'b', thread: 'y', at: 1 },
    ])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('in a bursty stream a fifth of the labels appear only in the second half', () => {
  const rows: Row[] = Array.from({ length: 2_000 }, (_, i) => ({ text: `text ${i}`, label: `label ${i % 10}` }))
  const firsts = (bursty: boolean) => {
    const order = arrivals(rows, 3, bursty)
    expect(new Set(order)).toEqual(new Set(rows))
    return [...new Set(rows.map(({ label }) => label))].map((name) => order.findIndex(({ label }) => label === name))
  }
  expect(firsts(false).filter((first) => first > 500)).toEqual([])
  expect(firsts(true).filter((first) => first > 500)).toHaveLength(2)
})
