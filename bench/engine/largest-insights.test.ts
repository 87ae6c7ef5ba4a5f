import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Grouping, Item } from '@groundswell/engine/index.ts'
import { expect, test } from 'vitest'
import { largestInsights, readItems, readingPage } from './largest-insights.ts'

const ITEMS: Item[] = Array.from({ length: 12 }, (_, i) => ({ id: `m${i}`, text: `The export\nfails ${i}`, at: i }))

function insight(issue_number: number, from: number, to: number): Grouping['insights'][number] {
  const mentions = ITEMS.slice(from, to).map(({ id }) => ({ itemId: id, statementIds: [`${id}:0`] }))
  return {
    emerging: false,
    issue_number,
    issue_name: `Name ${issue_number}`,
    summary: '',
    mention_count: mentions.length,
    mentions,
  }
}

const GROUPING: Grouping = { insights: [insight(4, 0, 6), insight(9, 6, 9)], ungrouped: ['m9', 'm10', 'm11'] }

test('the largest insights come with a sample of mentions that a seed decides', () => {
  const sampling = { top: 1, mentions: 3, seed: 1 }
  const read = largestInsights(ITEMS, GROUPING, sampling)
  expect(read).toHaveLength(1)
  expect(read[0]).toMatchObject({ number: 4, name: 'Name 4', size: 6 })
  const ids = read[0]?.mentions.map(({ itemId }) => itemId) ?? []
  expect(ids).toHaveLength(3)
  expect(ids.toSorted()).toEqual(ids)
  expect(largestInsights(ITEMS, GROUPING, sampling)).toEqual(read)
  const samples = [1, 2, 3, 4, 5].map((seed) => largestInsights(ITEMS, GROUPING, { ...sampling, seed })[0]?.mentions)
  expect(new Set(samples.map((mentions) => JSON.stringify(mentions))).size).toBeGreaterThan(1)
})

test('a page has sizes, what is in no insight, and what a message says about an insight, shortened', () => {
  const letter = `Hello,\n\n${'word '.repeat(200)}`
  const page = readingPage('A file', [{ id: 'm0', text: letter, at: 0 }, ...ITEMS.slice(1)], GROUPING, {
    top: 20,
    mentions: 8,
    seed: 1,
  })
  expect(page).toContain('# A file')
  expect(page).toContain('12 messages, 2 insights, 25.0% in no insight.')
  expect(page).toContain('## 2. Name 9\n\ninsight 9, 3 messages\n\n- m6: The export fails 6\n- m7:')
  expect(page).toContain(`- m0: ${'word '.repeat(80)}…\n`)
})

test('rows are read with what they have, and a row without text is reported by its line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'items-'))
  const file = join(folder, 'a.jsonl')
  try {
    writeFileSync(
      file,
      [
        { id: 1, text: 'first', at: '2026-01-02', author: 7, thread: 3 },
        { id: 'x', text: 'second', rating: 2 },
      ]
        .map((row) => JSON.stringify(row))
        .join('\n\n'),
    )
    const at = Date.UTC(2026, 0, 2)
    expect(readItems(file)).toEqual([
      { id: '1', text: 'first', at, author: '7', thread: '3' },
      { id: 'x', text: 'second', at },
    ])
    writeFileSync(file, '{"id":"1","text":"a"}\n{"id":"2"}\n')
    expect(() => readItems(file)).toThrow('line 2: a row has an id and a text')
  } finally {
    rmSync(folder, { recursive: true })
  }
})
