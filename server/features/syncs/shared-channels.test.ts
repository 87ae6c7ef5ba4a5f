import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { inWorkspace } from '../../platform/db/tenant.ts'
import type { TestPerson } from '../../platform/http/testing.ts'
import { type SyncApp, startSyncApp } from './testing.ts'

let app: SyncApp
let ann: TestPerson

beforeAll(async () => {
  app = await startSyncApp([])
  app.slack.post({ channel: 'internal', author: 'Member', text: 'The importer is slow' })
})
afterAll(() => app.cleanup())
beforeEach(async () => {
  ann = await app.test.person(randomUUID())
})

const choose = async (channels: string[]) => {
  const payload = { shared_channels: channels.map((name) => app.slack.workspace.room(name).id) }
  const answer = await app.test.call('PUT', '/api/slack/choices', { as: ann, payload })
  expect(answer.statusCode).toBe(200)
}
const said = async (from: 'feedback_item' | 'context_message') =>
  inWorkspace(app.test.services.db, ann.workspaceId, async (tx) => {
    const { rows } = await sql<{ text: string }>`select text from ${sql.table(from)} order by text`.execute(tx)
    return rows.map(({ text }) => text)
  })
/** One thread of a customer and a member. */
const talk = (about: string) => {
  const channel = 'partners'
  const root = app.slack.workspace.add({ channel, author: 'Eve', team: 'T0CUSTOMER', text: `${about}: it fails` }).ts
  app.slack.workspace.add({ channel, author: 'Member', thread: root, text: `${about}: we look at it` })
}

it('members’ words are context in a channel that is shared with customers only, from when that is chosen on', async () => {
  talk('first')
  await app.connect(ann)
  await app.sync(ann)
  const before = ['The importer is slow', 'first: it fails', 'first: we look at it']
  expect(await said('feedback_item')).toEqual(before)

  await choose(['partners'])
  talk('second')
  await app.sync(ann)
  expect(await said('feedback_item')).toEqual([...before, 'second: it fails'])
  expect(await said('context_message')).toEqual(['second: we look at it'])

  await choose([])
  talk('third')
  await app.sync(ann)
  expect(await said('feedback_item')).toEqual([
    ...before,
    'second: it fails',
    'third: it fails',
    'third: we look at it',
  ])
  expect(await said('context_message')).toEqual(['second: we look at it'])
})

it('an agent’s reply that was deleted at the provider is removed from the conversation, without an event', async () => {
  await app.connect(ann)
  await choose(['partners'])
  const channel = 'partners'
  const root = app.slack.workspace.add({ channel, author: 'Eve', team: 'T0CUSTOMER', text: 'It hangs' }).ts
  const reply = (text: string) => app.slack.workspace.add({ channel, author: 'Member', thread: root, text }).ts
  const wrong = reply('an internal remark')
  reply('we look at it')
  await app.sync(ann)
  expect(await said('context_message')).toContain('an internal remark')
  app.slack.workspace.remove(wrong)
  await app.begin(ann)
  await app.sync(ann)
  expect(await said('context_message')).not.toContain('an internal remark')
  expect(await said('context_message')).toContain('we look at it')
})
