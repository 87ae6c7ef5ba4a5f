import { expect, test } from 'vitest'
import { fewSubjects } from './few-subjects.ts'
import type { Row } from './stream.ts'

const ROWS: Row[] = [
  ...Array.from({ length: 200 }, (_, i) => ({ text: `about ${i % 20}, number ${i}`, label: `subject ${i % 20}` })),
  ...Array.from({ length: 100 }, (_, i) => ({ text: `anything, number ${i}`, label: null })),
]

test('all messages of the chosen subjects, and four of ten messages are noise', () => {
  const rows = fewSubjects(ROWS, 6, 1)
  const said = rows.filter(({ label }) => label !== null)
  expect(new Set(said.map(({ label }) => label)).size).toBe(6)
  expect(said.length).toBe(60)
  expect(rows.length - said.length).toBe(40)
  expect(new Set(rows.map(({ text }) => text)).size).toBe(rows.length)
})

test('a seed always chooses the same, another one others', () => {
  expect(fewSubjects(ROWS, 6, 1)).toEqual(fewSubjects(ROWS, 6, 1))
  const subjectsOf = (seed: number) => new Set(fewSubjects(ROWS, 6, seed).map(({ label }) => label))
  expect(subjectsOf(1)).not.toEqual(subjectsOf(2))
})
