import type { InsightDetail } from '@groundswell/contract/insights/insight-detail.ts'
import type { Insight } from '@groundswell/contract/insights.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { checkInsight } from '../grouping/check-counts.ts'
import { recount } from '../grouping/stores/count-store.ts'
import { withWorld, world } from '../testing.ts'

let workspace: string
withWorld()
beforeEach(async () => {
  workspace = await world.workspace()
})

type Said = { text: string; message?: string; author?: string }

/** Adds mentions to an insight and counts them, as a step of grouping does. */
async function say(mentions: readonly Said[]): Promise<void> {
  await world.insight(
    workspace,
    1,
    mentions.map(({ message, ...one }) => ({ ...one, message: message ?? one.text })),
  )
  await world.inside(workspace, (tx) => recount(tx, workspace, [{ issueId: 1, gained: mentions.length }], 1_000))
}

async function get<T>(path: string): Promise<T> {
  return (await world.call(workspace, 'GET', path)).body as T
}

const counted = async () => {
  const [one] = await get<Insight[]>('/api/insights/get-all')
  return [one?.mention_count, one?.text_count, one?.author_count]
}
const copies = async () => (await get<InsightDetail>('/api/insights/1/detail')).copies

const times = (count: number, said: (at: number) => Said): Said[] => Array.from({ length: count }, (_, at) => said(at))

test('an insight shows how many different texts and known authors its mentions have', async () => {
  await say(times(39, () => ({ text: 'Buy followers at the best price' })))
  expect(await counted()).toEqual([39, 1, 0])
  await say(times(3, (at) => ({ text: `The export fails ${at}`, author: 'Kim' })))
  // The list that was read before is renewed once the process hears of the change.
  await expect.poll(counted).toEqual([42, 4, 1])
})

test('one sentence by many people is one text by many authors', async () => {
  await say(times(5, (at) => ({ text: 'Too expensive', author: `person ${at}` })))
  expect(await counted()).toEqual([5, 1, 5])
})

test('case, spacing, links and what surrounds a mention do not make a text another', async () => {
  await say([
    { text: 'Please stop  the new terms https://t.example/a1' },
    { text: 'please stop the\nNEW terms https://t.example/b2' },
    { text: 'Please stop the new terms', message: '🤯🤯 Hello! Please stop the new terms' },
    { text: 'Please stop the new terms', message: 'Hi, 🤯 there. Please stop the new terms Bye 🤯' },
    { text: 'Please stop the 🤯 terms', message: 'Please stop the 🤯 terms' },
  ])
  expect(await counted()).toEqual([5, 2, 0])
})

test('the panel lists copies from three on, the most copied first, by the ids of their mentions', async () => {
  await say([
    ...times(3, () => ({ text: 'Three of these', author: 'Kim' })),
    ...times(2, () => ({ text: 'Two of these' })),
    ...times(4, (at) => ({ text: 'Four of these', author: `person ${at}` })),
  ])
  const found = await copies()
  expect(found?.map(({ count, people, mentions }) => [count, people, mentions.length])).toEqual([
    [4, 4, 4],
    [3, 1, 3],
  ])
  const { mentions } = await get<{ mentions: { id: string; text: string }[] }>('/api/insights/1/evidence')
  const four = mentions.filter(({ text }) => text === 'Four of these').map(({ id }) => id)
  expect(found?.[0]?.mentions).toEqual(four)
})

test('an insight without copies lists none', async () => {
  await say(times(4, (at) => ({ text: `The export fails ${at}` })))
  expect(await copies()).toBeUndefined()
})

test('insights of before the counts are counted by the check', async () => {
  await say(times(4, () => ({ text: 'The export fails' })))
  await world.inside(workspace, (tx) =>
    sql`update insight set text_count = null, author_count = null, texts_of = null`.execute(tx),
  )
  expect(await counted()).toEqual([4, undefined, undefined])
  expect(await checkInsight(world.services, workspace, 1)).toEqual([])
  expect(await counted()).toEqual([4, 1, 0])
})
