import { expect, test } from 'vitest'
import { diffGenerators } from './word-diff.ts'

const comparison = {
  from: '2026-09-14',
  to: '2026-09-20',
  input: '',
  rows: [
    [
      [
        ['name', 'The export hangs on large reports'],
        ['quotes', ['a', 'b']],
      ],
      [
        ['name', 'The export fails on large reports'],
        ['quotes', ['a', 'b']],
      ],
    ],
    [null, [['name', 'Only here']]],
    [null, null],
  ] as const,
}

test('two responses are compared word by word; equal parts are marked as equal', () => {
  const rows = diffGenerators({ ...comparison, rows: comparison.rows.map((row) => [...row]) }, 0, 1)
  expect(rows[0]).toEqual([
    {
      key: 'name',
      same: false,
      parts: [
        { text: 'The export ', side: 'both' },
        { text: 'hangs', side: 'first' },
        { text: 'fails', side: 'second' },
        { text: ' on large reports', side: 'both' },
      ],
    },
    { key: 'quotes', same: true, parts: [{ text: '• a\n• b', side: 'both' }] },
  ])
  expect(rows[1]).toEqual([{ key: 'name', same: false, parts: [{ text: 'Only here', side: 'second' }] }])
  expect(rows).toHaveLength(2)
})
