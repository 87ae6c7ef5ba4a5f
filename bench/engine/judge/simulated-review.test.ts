import { assign } from '@groundswell/engine/clustering/assign.ts'
import { revise } from '@groundswell/engine/clustering/revise.ts'
import { issues } from '@groundswell/engine/corrections/remove.ts'
import { createState, type State } from '@groundswell/engine/state/state.ts'
import { prepare } from '@groundswell/engine/text/prepare.ts'
import { expect, test } from 'vitest'
import { reviewState } from './simulated-review.ts'

/** Messages by their subject, alike enough in their words to be one insight. */
const MESSAGES: Record<string, string[]> = {
  lost: [
    'checked bag lost on the flight',
    'bag lost on the flight',
    'the bag was lost on the flight',
    'bag lost on flight again',
  ],
  torn: ['bag on the flight torn', 'the bag was torn on the flight', 'bag torn on flight'],
  login: [
    'cannot log in with single sign-on',
    'single sign-on: cannot log in',
    'cannot log in by single sign-on today',
    'log in by single sign-on fails',
  ],
}
const ITEMS = Object.entries(MESSAGES).flatMap(([label, texts]) =>
  texts.map((text, n) => ({ id: `${label}${n}`, text, at: n })),
)
const labelOf = (statementId: string) => statementId.replace(/\d+:0$/, '')
const DIRECTIONS: Record<string, [number, number]> = { lost: [1, 0.1], torn: [1, 0.2], login: [0.1, 1] }

function built(): State {
  const state = createState({ seed: 1 })
  assign(
    state,
    ITEMS.flatMap((item) => prepare(item)),
  )
  revise(state)
  return state
}
const reviewing = (right: number, wrong: number, seed = 1) => ({
  rates: { right, wrong },
  seed,
  labelOf,
  vectorOf: (id: string) => Float32Array.from(DIRECTIONS[labelOf(id)] as [number, number]),
})
const insightsOf = (state: State) =>
  [...issues(state)].filter(({ visible }) => visible).map(({ statementIds }) => statementIds.toSorted())
const after = (...given: Parameters<typeof reviewing>) => {
  const state = built()
  reviewState(state, reviewing(...given))
  return insightsOf(state)
}

test('a reviewer without errors parts what is different', () => {
  expect(insightsOf(built())).toContainEqual(expect.arrayContaining(['lost0:0', 'torn0:0']))
  const subjects = after(1, 0).map((ids) => new Set(ids.map(labelOf)))
  expect(subjects.map(({ size }) => size)).toEqual(subjects.map(() => 1))
  expect(after(1, 0)).toContainEqual(['torn0:0', 'torn1:0', 'torn2:0'])
})

test('a reviewer who never says yes changes nothing', () => {
  expect(after(0, 0)).toEqual(insightsOf(built()))
})

test('the same seed errs alike, another one otherwise', () => {
  const results = [1, 1, 2, 3, 4, 5, 6].map((seed) => JSON.stringify(after(0.5, 0.3, seed)))
  expect(results[1]).toBe(results[0])
  expect(new Set(results).size).toBeGreaterThan(1)
})
