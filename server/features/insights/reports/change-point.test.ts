import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changePoint, isClear, mainShare } from './change-point.ts'

test('a change is clear when counts of this size do not differ so by chance', () => {
  const clear = (total: number, previous: number) => isClear({ total, previous })
  expect([clear(20, 10), clear(12, 10), clear(3, 0), clear(0, 9), clear(1_300, 1_000), clear(1_100, 1_000)]).toEqual([
    false,
    false,
    false,
    true,
    true,
    false,
  ])
  expect(clear(30, 12)).toBe(true)
})

test('the first day of a step is found, whatever its height and place', () => {
  const steps = fc.record({ before: fc.integer({ min: 1, max: 40 }), after: fc.integer({ min: 1, max: 40 }) })
  const step = fc.record({ low: fc.integer({ min: 0, max: 9 }), rise: fc.integer({ min: 1, max: 9 }), days: steps })
  fc.assert(
    fc.property(step, fc.boolean(), ({ low, rise, days }, more) => {
      const [before, after] = more ? [low, low + rise] : [low + rise, low]
      const counts = [...Array(days.before).fill(before), ...Array(days.after).fill(after)] as number[]
      expect(changePoint(counts, more)).toBe(days.before)
    }),
  )
})

test('equal days have no first day of a change', () => {
  expect(changePoint([2, 2, 2, 2], true)).toBeNull()
  expect(changePoint([0.1 + 0.2, 0.3, 0.3], false)).toBeNull()
})

test('most of a change is of what has most of it, and more than of the mentions before', () => {
  const of = (values: [string | null, number, number][]) =>
    mainShare(values.map(([key, total, previous]) => ({ key, total, previous })))?.key ?? null
  expect(
    of([
      ['Enterprise', 18, 4],
      ['Free', 6, 8],
    ]),
  ).toBe('Enterprise')
  // Most mentions always were of it.
  expect(
    of([
      ['Enterprise', 18, 9],
      ['Free', 2, 1],
    ]),
  ).toBeNull()
  expect(
    of([
      ['Enterprise', 9, 4],
      ['Free', 8, 4],
    ]),
  ).toBeNull()
  // Less, and most of that at one plan.
  expect(
    of([
      ['Enterprise', 1, 12],
      ['Free', 8, 8],
    ]),
  ).toBe('Enterprise')
  expect(
    of([
      [null, 18, 4],
      ['Free', 6, 8],
    ]),
  ).toBeNull()
  expect(of([['Enterprise', 18, 4]])).toBeNull()
})
