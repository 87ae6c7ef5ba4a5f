import { Insight } from '@groundswell/contract/insights.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { withWorld, world } from '../testing.ts'
import { recountRelabelled } from './relabelled.ts'
import { groupNow } from './run.ts'

let workspace: string

const ARRIVED = '2026-02-10T08:00:00.000Z'
const MADE = '2026-01-05T08:00:00.000Z'

withWorld()
beforeEach(async () => {
  world.now = new Date('2026-03-02T10:20:00Z')
  workspace = await world.workspace()
})

const words = ['of every report', 'of all reports', 'of our reports', 'of the reports', 'of large reports']

/** Messages of one subject that were made in January and arrive at the given time, then are grouped. */
async function arrive(ids: readonly number[], at: string): Promise<void> {
  const messages = ids.map((id) => ({
    id: `m${id}`,
    text: `CSV export stops after the first thousand rows ${words[id % words.length]}`,
    at: new Date(MADE),
  }))
  await world.store(workspace, messages)
  await world.inside(workspace, (tx) =>
    sql`update feedback_item set stored_at = ${at} where external_id = any(${messages.map(({ id }) => id)}::text[])`.execute(
      tx,
    ),
  )
  await groupNow(world.services, workspace)
}

async function insight(): Promise<Insight> {
  const { body } = await world.call(workspace, 'GET', '/api/insights/get-all')
  const [first, ...others] = z.array(Insight).parse(body)
  expect(others).toEqual([])
  return first as Insight
}
const updated = async () => (await insight()).last_updated

test('an update is the newest arrival of a mention here; its own date is last_seen', async () => {
  await arrive([1, 2, 3], ARRIVED)
  expect(await insight()).toMatchObject({ mention_count: 3, last_updated: ARRIVED, last_seen: MADE })
  await arrive([4], '2026-02-11T08:00:00Z')
  await expect.poll(() => updated()).toBe('2026-02-11T08:00:00.000Z')
})

test('what the engine does to the row is no update', async () => {
  await arrive([1, 2, 3], ARRIVED)
  const { revision = 0 } = await insight()
  await world.inside(workspace, async (tx) => {
    await sql`update feedback_item set said_at = '2026-01-07' where external_id = 'm1'`.execute(tx)
    const { rows } = await sql<{ id: number }>`select id from feedback_item where external_id = 'm1'`.execute(tx)
    await recountRelabelled(
      tx,
      workspace,
      rows.map(({ id }) => id),
    )
  })
  await expect.poll(async () => (await insight()).revision).toBeGreaterThan(revision)
  expect(await insight()).toMatchObject({ last_updated: ARRIVED, last_seen: '2026-01-07T00:00:00.000Z' })
})

test.each<[string, 'POST' | 'PATCH', string, object]>([
  ['a rename', 'POST', 'corrections', { kind: 'rename', name: 'Exports stop' }],
  ['a lock', 'POST', 'corrections', { kind: 'lock', locked: true }],
  ['a tag', 'PATCH', 'tags', { changes: [{ cat_name: 'Area', option_value: 'Export' }] }],
])('%s by a person is one, and stays the latest when an older mention is recounted', async (_, method, call, body) => {
  const description = 'Which part of the product the message is about, in one word'
  const settings = JSON.stringify({ categories: [{ name: 'Area', description }] })
  await world.inside(workspace, (tx) => sql`update workspace set settings = ${settings}::jsonb`.execute(tx))
  await arrive([1, 2, 3], ARRIVED)
  const { issue_number } = await insight()
  const answer = await world.call(workspace, method, `/api/insights/${issue_number}/${call}`, {}, body)
  expect(answer.status).toBe(200)
  await groupNow(world.services, workspace)
  await expect.poll(() => updated()).toBe('2026-03-02T10:20:00.000Z')
  await arrive([4], '2026-02-11T08:00:00Z')
  await expect.poll(async () => (await insight()).mention_count).toBe(4)
  expect(await updated()).toBe('2026-03-02T10:20:00.000Z')
})

test('restoring a deleted insight is one, and so is undoing a correction', async () => {
  await arrive([1, 2, 3], ARRIVED)
  const { issue_number } = await insight()
  await world.call(workspace, 'DELETE', `/api/insights/${issue_number}`)
  world.now = new Date('2026-03-02T11:00:00Z')
  await world.call(workspace, 'POST', `/api/insights/${issue_number}/restore`)
  await groupNow(world.services, workspace)
  await expect.poll(() => updated()).toBe('2026-03-02T11:00:00.000Z')
  const rename = { kind: 'rename', name: 'Exports stop' }
  const made = await world.call(workspace, 'POST', `/api/insights/${issue_number}/corrections`, {}, rename)
  const { correction_id } = made.body as { correction_id: string }
  world.now = new Date('2026-03-02T12:00:00Z')
  expect((await world.call(workspace, 'POST', `/api/corrections/${correction_id}/undo`)).status).toBe(200)
  await expect.poll(() => updated()).toBe('2026-03-02T12:00:00.000Z')
})
