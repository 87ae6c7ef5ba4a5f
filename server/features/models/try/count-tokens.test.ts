import { groupedState, type SplitItem } from '@groundswell/engine/index.ts'
import { expect, test } from 'vitest'
import { estimateReading, openReviewCount, tokensOfReading } from './count-tokens.ts'
import { instructionsOf } from './messages-to-read.ts'

const inTokens = (text: string) => Buffer.byteLength(text) / 4

const said = (count: number, of: (at: number) => string) =>
  Array.from({ length: count }, (_, at): SplitItem => {
    const text = of(at)
    const point = { start: 0, end: text.length, kind: 'problem' as const, point: 'Invoice export stops with an error' }
    return { id: `m${at}`, text, at, points: [point] }
  })
const read = (items: readonly SplitItem[]) => items.map(({ text, points = [] }) => ({ text, points }))

test('reading takes the instructions once for each batch of 30, and replies that leave out the sentences of a point that is all of the message', async () => {
  const items = said(31, (at) => `The export of invoice ${at} stops with an error`)
  const { instructions, messages, replies } = await tokensOfReading(read(items))
  expect(instructions).toBe(Math.round((2 * Buffer.byteLength(await instructionsOf('readings'))) / 4))
  expect(messages).toBeGreaterThan(inTokens(items.map(({ text }) => text).join('')))
  const two = said(31, (at) => `The export stops. That was invoice ${at}`)
  const first = two.map((item) => ({ ...item, points: item.points?.map((one) => ({ ...one, end: 10 })) ?? [] }))
  expect((await tokensOfReading(read(two))).replies).toBe(replies)
  expect((await tokensOfReading(read(first))).replies).toBeGreaterThan(replies)
  expect((await estimateReading(items)).calls).toBe(2)
})

test('a review is counted while it is due, with no more than 40 mentions', async () => {
  const dueReviews = await openReviewCount()
  const items = said(120, (at) => `The export of invoice ${at} stops with an error`)
  const state = groupedState(items)
  const [due] = dueReviews(state, { items, encoder: null }, new Map())
  expect(due?.mentions).toBe(120)
  const most =
    inTokens(await instructionsOf('reviews')) +
    40 * inTokens(`{"id":"abcde","text":"${items[0]?.points?.[0]?.point}"},`)
  expect(due?.tokens).toBeLessThan(most + 400)
  expect(dueReviews(state, { items, encoder: null }, new Map([[due?.issue ?? 0, 97]]))).toEqual([])
  expect(dueReviews(state, { items, encoder: null }, new Map([[due?.issue ?? 0, 96]]))).toHaveLength(1)
})
