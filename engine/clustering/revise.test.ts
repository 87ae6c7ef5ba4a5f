import { expect, test } from 'vitest'
import { assign, createState, issues, prepare } from '../index.ts'
import { LOOSE_SLOPE, minSimilarity } from './min-similarity.ts'
import { needsRevision, revise } from './revise.ts'

test('the required similarity grows with the number of texts', () => {
  const asked = [100, 800, 5_500, 20_000].map((texts) => minSimilarity(0.518, texts))
  expect(asked).toEqual([...asked].sort((a, b) => a - b))
  expect(minSimilarity(0.518, 5_500)).toBe(0.518)
  expect(minSimilarity(0.518, 800)).toBeLessThan(0.47)
})

test('the required similarity stays within bounds', () => {
  expect(minSimilarity(0.518, 0)).toBeGreaterThanOrEqual(0.39)
  expect(minSimilarity(0.41, 0)).toBe(0.4)
  expect(minSimilarity(0.518, 1e9)).toBeCloseTo(0.568)
  expect(minSimilarity(0.518, 5_500, LOOSE_SLOPE)).toBe(0.518)
  expect(minSimilarity(0.518, 800, LOOSE_SLOPE)).toBeLessThan(minSimilarity(0.518, 800))
})

test('a flood of near-duplicates stays one issue per subject, although each one’s nearest neighbours are its own variant', () => {
  const subjects = [
    ['CSV export stops after the first thousand rows', ' of every report'],
    ['Password reset mail never arrives in the inbox', ' of our colleagues'],
    ['Dark mode makes the calendar text unreadable', ' on small phones'],
    ['Invoice PDF shows the wrong tax number', ' for German customers'],
  ] as const
  const state = createState()
  for (let from = 0; from < 1_200; from += 200) {
    const items = Array.from({ length: 200 }, (_, i) => {
      const n = from + i
      const [what, where] = subjects[n % subjects.length] as (typeof subjects)[number]
      return { id: `m${n}`, text: `${what}${n % 3 === 0 ? where : ''} (${n})`, at: n }
    })
    assign(state, items.flatMap(prepare))
    revise(state)
  }
  expect(issues(state).map(({ statementIds }) => statementIds.length)).toEqual([300, 300, 300, 300])
})

test('a revision is due after a fifth is new, in a large workspace after half, and before pending statements are forgotten', () => {
  const state = createState()
  const isDue = (before: number, fresh: number) => {
    state.seenAtRevision = before
    state.seen = before + fresh
    return needsRevision(state)
  }
  expect([isDue(0, 99), isDue(0, 100), isDue(5_000, 999), isDue(5_000, 1_000)]).toEqual([false, true, false, true])
  expect([isDue(20_000, 9_999), isDue(20_000, 10_000)]).toEqual([false, true])
  expect([isDue(900_000, 19_999), isDue(900_000, 20_000)]).toEqual([false, true])
  const item = (n: number) => ({ id: `m${n}`, text: `qa${n} qb${n} qc${n} qd${n}`, at: n })
  assign(state, Array.from({ length: 1_999 }, (_, n) => item(n)).flatMap(prepare))
  expect(isDue(20_000, 4_500)).toBe(false)
  assign(state, prepare(item(1_999)))
  expect(isDue(20_000, 4_500)).toBe(true)
})
