import { Insight } from '@groundswell/contract/insights.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { groupNow } from '../grouping/run.ts'
import { withWorld, world } from '../testing.ts'
import { retag, tagInsights } from './jobs.ts'
import { lookForTagWork } from './run.ts'

const SHARE = { name: 'Share', description: 'The share of all mentions that this insight has, in percent' }

let workspace: string

withWorld()
beforeEach(async () => {
  workspace = await world.workspace()
})

const say = (text: string, count: number) =>
  Array.from({ length: count }, (_, at) => ({ message: `${text} (${at})`, text: `${text} (${at})` }))

async function want(tags: readonly { name: string; description: string }[]): Promise<void> {
  const settings = { method: 'auto', min_inputs: 3, categories: tags }
  await world.inside(workspace, async (tx) => {
    await sql`update workspace set settings = ${JSON.stringify(settings)}::jsonb`.execute(tx)
    await retag(world.services)(tx, workspace)
  })
}

const list = () => world.call(workspace, 'GET', '/api/insights/get-all')
const shares = async () =>
  Object.fromEntries(
    z
      .array(Insight)
      .parse((await list()).body)
      .map((one) => [one.issue_number, one.categories[0]?.option_value]),
  )
const change = async (number: number, mentions: number) => {
  await world.insight(workspace, number, say('the export fails', mentions))
  await world.inside(workspace, (tx) => tagInsights(world.services)(tx, workspace, [number]))
}

test('the share of every row is updated as soon as another row changes, and a poll with the earlier ETag sees it', async () => {
  await want([SHARE])
  await change(1, 4)
  expect(await shares()).toEqual({ 1: 100 })
  const { etag } = await list()
  await change(2, 4)
  await expect
    .poll(async () => (await world.call(workspace, 'GET', '/api/insights/get-all', { 'if-none-match': etag })).status)
    .toBe(200)
  expect(await shares()).toEqual({ 1: 50, 2: 50 })
  await change(2, 4)
  await expect.poll(shares).toEqual({ 1: 33.3, 2: 66.7 })
  expect(await world.inside(workspace, (tx) => lookForTagWork(world.services, tx, workspace))).not.toBe('due')
})

test('shares follow a deletion, a restoration and a grouping immediately', async () => {
  await want([SHARE])
  const texts = ['CSV export fails for large reports', 'the csv export fails', 'CSV export fails again']
  const store = (from: number, all: readonly string[]) =>
    world.store(
      workspace,
      all.map((text, at) => ({ id: `${from + at}`, text, author: `p${from + at}` })),
    )
  await store(0, texts)
  await groupNow(world.services, workspace)
  expect(await shares()).toEqual({ 1: 100 })
  await store(10, ['Dark mode text is unreadable', 'dark mode: the text is unreadable', 'unreadable text in dark mode'])
  await groupNow(world.services, workspace)
  await expect.poll(shares).toEqual({ 1: 50, 2: 50 })
  expect((await world.call(workspace, 'DELETE', '/api/insights/2')).status).toBe(200)
  await expect.poll(shares).toEqual({ 1: 100 })
  expect((await world.call(workspace, 'POST', '/api/insights/2/restore')).status).toBe(200)
  await expect.poll(shares).toEqual({ 1: 50, 2: 50 })
})

test('insights whose shown share does not change are not read again', async () => {
  await want([SHARE])
  for (const number of [1, 2]) await change(number, 4)
  await change(3, 2000)
  const revisions = async () =>
    (
      await world.inside(workspace, (tx) =>
        sql<{ revision: number }>`select revision from insight order by issue_number`.execute(tx),
      )
    ).rows.map((row) => row.revision)
  const before = await revisions()
  await change(3, 1)
  const after = await revisions()
  expect([after[0], after[1]]).toEqual([before[0], before[1]])
  expect(after[2]).toBeGreaterThan(before[2] as number)
})

test('shares of people follow the total number of people', async () => {
  await want([{ name: 'Share', description: 'The share of all customers who mentioned this insight, in percent' }])
  await change(1, 3)
  expect(await shares()).toEqual({ 1: 100 })
  await change(2, 1)
  await expect.poll(shares).toEqual({ 1: 75, 2: 25 })
})
