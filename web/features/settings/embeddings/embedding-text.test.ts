import type { SwitchExample, SwitchPreview } from '@groundswell/contract/models/embeddings.ts'
import { expect, test } from 'vitest'
import { formatMoment } from '../../../ui/text/moment.ts'
import {
  budgetText,
  exampleText,
  figuresOf,
  isOpen,
  pauseText,
  previewText,
  progressText,
  waitingText,
} from './embedding-text.ts'

const preview = (some: Partial<SwitchPreview>): SwitchPreview => ({
  insights_before: 40,
  insights_after: 38,
  same: 30,
  changed: 4,
  born: 2,
  ended: 3,
  merged: 3,
  split: 2,
  mentions: 794,
  mentions_moved: 57,
  examples: [],
  ...some,
})

const example = (some: Partial<SwitchExample>): SwitchExample => ({
  kind: 'changed',
  issue_number: 12,
  name: 'Exports fail',
  others: [],
  mentions_before: 12,
  mentions_after: 15,
  ...some,
})

test('a preview shows how many mentions move and how many insights there will be', () => {
  expect(previewText(preview({}))).toBe('57 of 794 mentions move. There are 40 insights now, and 38 after the switch.')
  expect(previewText(preview({ insights_after: 40, mentions_moved: 1 }))).toBe(
    '1 of 794 mentions moves. The number of insights stays at 40.',
  )
  expect(previewText(preview({ insights_after: 40, mentions_moved: 0 }))).toMatch(/^No mentions move\./)
  expect(previewText(preview({ insights_before: 0, insights_after: 0 }))).toMatch(/^There are no insights to change/)
})

test('the figures add up to the insights before and after', () => {
  const [same = 0, changed = 0, merged = 0, split = 0, born = 0, ended = 0] = figuresOf(preview({})).map(
    ({ count }) => count,
  )
  expect([same + changed + merged + ended, same + changed + split + born]).toEqual([40, 38])
})

test.each([
  [{}, '12 → 15 mentions'],
  [{ mentions_after: 12 }, '12 mentions'],
  [{ kind: 'merged' as const, others: ['CSV'], mentions_after: 0 }, 'merges into “CSV”'],
  [{ kind: 'split' as const, others: ['CSV'], mentions_before: 0, mentions_after: 1 }, '1 mention from “CSV”'],
  [{ kind: 'ended' as const, mentions_before: 3, mentions_after: 0 }, '3 mentions now, no longer shown'],
  [{ kind: 'born' as const, mentions_before: 0, mentions_after: 3 }, '3 mentions that are in no insight now'],
])('the example %o', (some, text) => {
  expect(exampleText(example(some))).toBe(text)
})

test('a switch is open until it is applied, discarded or has failed', () => {
  const states = ['gathering', 'grouping', 'ready', 'applying', 'applied', 'discarded', 'failed'] as const
  expect(states.filter((state) => isOpen({ state }))).toEqual(['gathering', 'grouping', 'ready', 'applying'])
})

test('texts are counted', () => {
  expect(progressText(0, 1)).toBe('0 of 1 text')
  expect(progressText(1200, 5000)).toBe(`${(1200).toLocaleString()} of ${(5000).toLocaleString()} texts`)
})

test('a budget, and what waits for the next UTC day', () => {
  const [used, most] = [(1200).toLocaleString(), (10_000_000).toLocaleString()]
  expect(budgetText({ used: 1200, per_day: 10_000_000, spent: false })).toBe(`${used} of ${most} tokens used today.`)
  const now = Date.parse('2026-11-21T22:40:00Z')
  const after = `until tomorrow: requests resume after ${formatMoment('2026-11-22T00:00:00Z')}.`
  expect(waitingText(0, now)).toBe(`New texts wait ${after}`)
  expect(waitingText(1, now)).toBe(`1 text waits ${after}`)
  expect(waitingText(1200, now)).toBe(`${used} texts wait ${after}`)
})

test('a pause is shown until it is over', () => {
  const until = '2026-11-21T22:40:00Z'
  expect(pauseText(until, Date.parse(until) - 1)).toMatch(/^Paused: requests resume after .+\.$/)
  expect(pauseText(until, Date.parse(until))).toBe('')
  expect(pauseText(null)).toBe('')
})
