import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, expect, it } from 'vitest'
import { inWorkspace } from '../../platform/db/tenant.ts'
import type { TestPerson } from '../../platform/http/testing.ts'
import { duringTests } from '../../platform/testing.ts'
import { oldestEvent, storeEvent } from './event-store.ts'
import { sweepSyncs } from './jobs.ts'
import { smallCompany, startSyncApp } from './testing.ts'

const MINUTE_MS = 60_000
let ann: TestPerson

const app = duringTests(() => startSyncApp(smallCompany(8)))
beforeEach(async () => {
  ann = await app.test.person(randomUUID())
  await app.connect(ann)
})

const sweep = () => sweepSyncs(app.test.services)
const inOwn = <T>(work: Parameters<typeof inWorkspace<T>>[2]) =>
  inWorkspace(app.test.services.db, ann.workspaceId, work)
const jobs = async (name: string) => {
  const { id } = await app.connection(ann)
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from queue.job where name = ${name} and singleton_key = ${id}`.execute(
    app.test.services.db.kysely,
  )
  return Number(rows[0]?.count)
}

it('a source is read again a quarter of an hour after its last sync, not before', async () => {
  await app.sync(ann)
  app.test.time.passMs += 14 * MINUTE_MS
  await sweep()
  expect((await app.connection(ann)).status).toBe('idle')
  app.test.time.passMs += 2 * MINUTE_MS
  await sweep()
  expect((await app.connection(ann)).status).toBe('syncing')
})

it('a signed-out source is left alone', async () => {
  app.slack.fault('revoked')
  await app.sync(ann)
  app.test.time.passMs += 60 * MINUTE_MS
  await sweep()
  expect((await app.connection(ann)).status).toBe('stopped')
  expect(await jobs('sync-connection')).toBe(1)
})

it('a sync whose job was lost gets a new one; one that waits for the provider does not', async () => {
  const { id } = await app.connection(ann)
  await sql`delete from queue.job where singleton_key = ${id}`.execute(app.test.services.db.kysely)
  await sweep()
  expect(await jobs('sync-connection')).toBe(0)
  app.slack.fault('429', 1)
  await app.sync(ann).catch(() => undefined)
  await inOwn((tx) =>
    sql`update sync_state set waiting_until = ${new Date(app.test.services.now().getTime() + 30 * MINUTE_MS)}`.execute(
      tx,
    ),
  )
  app.test.time.passMs += 20 * MINUTE_MS
  await sweep()
  expect(await jobs('sync-connection')).toBe(0)
  app.test.time.passMs += 25 * MINUTE_MS
  await sweep()
  expect(await jobs('sync-connection')).toBe(1)
})

it('an event whose job was lost is handled; old ones are deleted', async () => {
  const { id: connectionId } = await app.connection(ann)
  await inOwn((tx) => storeEvent(tx, ann.workspaceId, connectionId, { id: 'Ev1', payload: { type: 'message' } }))
  app.test.time.passMs += 11 * MINUTE_MS
  await sweep()
  expect(await jobs('follow-events')).toBe(1)
  app.test.time.passMs += 8 * 24 * 60 * MINUTE_MS
  await sweep()
  expect(await inOwn((tx) => oldestEvent(tx, ann.workspaceId, connectionId))).toBeNull()
})
