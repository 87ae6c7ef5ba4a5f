import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { inWorkspace } from '../../platform/db/tenant.ts'
import type { TestPerson } from '../../platform/http/testing.ts'
import { lockConnection } from '../connections/index.ts'
import { storeEvent } from './event-store.ts'
import { handleEvents } from './handle-events.ts'
import { sweepSyncs } from './jobs.ts'
import { type SyncApp, smallCompany, startSyncApp } from './testing.ts'
import { readVersions } from './version-store.ts'

const DAY_MS = 86_400_000
let app: SyncApp
let ann: TestPerson
let channel: string

beforeAll(async () => {
  app = await startSyncApp(smallCompany(8))
  channel = app.slack.workspace.room('general').id
})
afterAll(() => app.cleanup())
beforeEach(async () => {
  ann = await app.test.person(randomUUID())
  await app.connect(ann)
  await app.sync(ann)
})

const TS = '1772366400.000100'
const user = 'U0TALLY0001'
const original = { type: 'message', user, ts: TS, text: 'as posted', event_ts: TS }
const edit = (second: number, text: string) => ({
  type: 'message',
  subtype: 'message_changed',
  hidden: true,
  message: { type: 'message', user, ts: TS, text, edited: { user, ts: `177236650${second}.000000` } },
  event_ts: `177236650${second}.000100`,
})
const deletion = {
  type: 'message',
  subtype: 'message_deleted',
  hidden: true,
  deleted_ts: TS,
  event_ts: '1772366509.000100',
}

/** Events in the order in which they arrive. */
async function arrive(...events: object[]): Promise<void> {
  const { services } = app.test
  const { workspaceId, id } = await app.connection(ann)
  for (const event of events) {
    const stored = { id: randomUUID(), payload: { ...event, channel } }
    await inWorkspace(services.db, workspaceId, (tx) => storeEvent(tx, workspaceId, id, stored))
    const run = { attempt: 1, signal: new AbortController().signal, log: services.log }
    await handleEvents(services, workspaceId, id, { stored: async () => undefined }, run)
  }
}
const text = async () => (await app.items(ann)).find(({ externalId }) => externalId.endsWith(TS))?.text ?? null

const orders: [string, object[], string | null][] = [
  ['an edit after its deletion', [original, deletion, edit(1, 'edited')], null],
  ['the original after its deletion', [deletion, original], null],
  ['the original after its edit', [edit(1, 'edited'), original], 'edited'],
  ['an edit after a newer one', [original, edit(2, 'second'), edit(1, 'first')], 'second'],
  ['edits in order', [original, edit(1, 'first'), edit(2, 'second')], 'second'],
  ['the same edit twice', [edit(1, 'edited'), edit(1, 'edited')], 'edited'],
  ['a deletion after everything', [original, edit(1, 'edited'), deletion], null],
]
it.each(orders)('%s leaves what is at the provider', async (_, events, left) => {
  await arrive(...events)
  expect(await text()).toBe(left)
})

it('the original that arrives after a sync has read the edited message changes nothing', async () => {
  const { ts } = app.slack.workspace.add({ channel: 'general', author: 'Person 1', text: 'as posted' })
  app.slack.workspace.edit(ts, 'edited')
  await app.begin(ann)
  await app.sync(ann)
  await arrive({ ...original, ts })
  const stored = (await app.items(ann)).find(({ externalId }) => externalId.endsWith(ts))
  expect(stored?.text).toBe('edited')
  app.slack.workspace.remove(ts)
})

it('a page that the provider still answers with a deleted message does not bring it back', async () => {
  const { ts } = app.slack.workspace.add({ channel: 'general', author: 'Person 1', text: 'still listed' })
  await arrive({ ...deletion, deleted_ts: ts })
  await app.begin(ann)
  await app.sync(ann)
  expect((await app.items(ann)).some(({ externalId }) => externalId.endsWith(ts))).toBe(false)
  app.slack.workspace.remove(ts)
})

it('an event waits for a page that is being stored', async () => {
  const { db } = app.test.services
  const { workspaceId, id } = await app.connection(ann)
  const isBlocked = async () => {
    const { rows } = await sql`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db.kysely)
    return rows.length > 0
  }
  const locked = Promise.withResolvers<void>()
  const stored = Promise.withResolvers<void>()
  const page = inWorkspace(db, workspaceId, async (tx) => {
    await lockConnection(tx, workspaceId, id)
    locked.resolve()
    await stored.promise
  })
  await locked.promise
  const handling = arrive(original)
  const first = await Promise.race([
    handling.then(() => 'handled'),
    vi.waitUntil(isBlocked, { timeout: 300_000 }).then(() => 'blocked'),
  ])
  stored.resolve()
  await Promise.all([page, handling])
  expect(first).toBe('blocked')
  expect(await text()).toBe('as posted')
})

it('versions are forgotten with the events that they are for', async () => {
  await arrive(original, deletion)
  const { workspaceId, id, account } = await app.connection(ann)
  const versions = () =>
    inWorkspace(app.test.services.db, workspaceId, (tx) =>
      readVersions(tx, workspaceId, id, [`${account}:${channel}:${TS}`]),
    )
  expect([...(await versions()).values()]).toEqual([{ version: 0, deleted: true }])
  app.test.time.passMs += 8 * DAY_MS
  await sweepSyncs(app.test.services)
  expect((await versions()).size).toBe(0)
})

it('a sync without events removes what was deleted at the provider, and nothing else', async () => {
  const texts = async () => (await app.items(ann)).map((item) => item.text).sort()
  const add = (words: string, thread?: string) =>
    app.slack.workspace.add({ channel: 'general', author: 'Person 1', text: words, ...(thread ? { thread } : {}) }).ts
  const root = add('a root')
  const kept = add('a reply that stays', root)
  const reply = add('a reply', root)
  const alone = add('alone')
  await app.begin(ann)
  await app.sync(ann)
  const before = await texts()
  expect(before).toEqual(expect.arrayContaining(['a root', 'a reply that stays', 'a reply', 'alone']))
  app.slack.workspace.remove(reply)
  app.slack.workspace.remove(alone)
  await app.begin(ann)
  await app.sync(ann)
  expect(await texts()).toEqual(before.filter((words) => words !== 'a reply' && words !== 'alone'))
  for (const ts of [kept, root]) app.slack.workspace.remove(ts)
})
