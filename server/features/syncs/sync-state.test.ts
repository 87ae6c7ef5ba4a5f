import { randomUUID } from 'node:crypto'
import type { Connector } from '@groundswell/connectors/connector.ts'
import { connectorById } from '@groundswell/connectors/index.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { inWorkspace, type Tx } from '../../platform/db/tenant.ts'
import type { TestPerson } from '../../platform/http/testing.ts'
import { signOut } from '../connections/index.ts'
import { beginSync, endSync, holdSync, pauseSync, readSync, stepSync } from './sync-state-store.ts'
import { type SyncApp, smallCompany, startSyncApp } from './testing.ts'

const MESSAGES = 60
const page = { cursor: { at: 1 }, read: 1 }
let app: SyncApp
let ann: TestPerson

beforeAll(async () => {
  app = await startSyncApp(smallCompany(MESSAGES))
  app.slack.limit({ perMinute: null, objects: 8 })
})
afterAll(() => app.cleanup())
beforeEach(async () => {
  ann = await app.test.person(randomUUID())
  await app.connect(ann)
})

const inOwn = <T>(work: (tx: Tx) => Promise<T>) => inWorkspace(app.test.services.db, ann.workspaceId, work)
const disconnect = () => app.test.call('POST', '/api/slack/disconnect', { as: ann })
const now = () => app.test.services.now()
const rowOf = (id: string) =>
  inOwn(async (tx) => {
    const { rows } = await sql`
      select to_jsonb(sync) as sync, connection.error from sync_state sync
      join connection on connection.id = sync.connection_id where connection.id = ${id}`.execute(tx)
    return rows
  })

/** Reads two pages; then the worker is killed. */
const readTwoPages = async () => {
  const stop = new AbortController()
  let pages = 0
  const reading = app.sync(ann, { signal: stop.signal }, async () => {
    pages += 1
    if (pages === 2) stop.abort(new Error('killed'))
  })
  await expect(reading).rejects.toThrow('killed')
  return (await app.items(ann)).length
}

describe('a running sync', () => {
  it('stops when it is disconnected, and begins again from its cursor when the same account connects', async () => {
    const read = await readTwoPages()
    const before = await app.connection(ann)
    await disconnect()
    expect(await inOwn((tx) => readSync(tx, ann.workspaceId, before.id))).toMatchObject({ status: 'stopped' })
    await app.connect(ann)
    const { id, status, cursor, step } = await app.connection(ann)
    expect({ id, status, cursor, step }).toEqual({
      id: before.id,
      status: 'syncing',
      cursor: before.cursor,
      step: before.step,
    })
    expect(cursor).not.toBeNull()
    expect(await app.tile(ann)).toMatchObject({ status: 'syncing', progress: { read: 0, total: null } })
    await app.sync(ann)
    expect(await app.items(ann)).toHaveLength(MESSAGES)
    expect(await app.tile(ann)).toMatchObject({ status: 'connected', progress: { read: MESSAGES - read } })
  })

  it('says how far its first round is, where the connector can tell, and nothing once it has ended', async () => {
    const slack = connectorById('slack') ?? ({} as Connector)
    const of = { noun: 'conversation', read: 340, total: 1100 }
    const asked: unknown[] = []
    slack.progress = (cursor) => {
      asked.push(cursor)
      return of
    }
    onTestFinished(() => {
      delete slack.progress
    })
    const read = await readTwoPages()
    expect(await app.tile(ann)).toMatchObject({ status: 'syncing', progress: { read, total: null, of } })
    expect(asked).toEqual([(await app.connection(ann)).cursor])
    await app.sync(ann)
    expect(await app.tile(ann)).toMatchObject({ status: 'connected', progress: { of: null } })
    await app.begin(ann)
    expect(await app.tile(ann)).toMatchObject({ status: 'syncing', progress: { of: null } })
  })

  it('stops when its sign-in ends, and forgets the pause that the provider asked for', async () => {
    const connection = await app.connection(ann)
    const { workspaceId, id } = connection
    await inOwn((tx) => pauseSync(tx, workspaceId, id, new Date(now().getTime() + 60_000), now()))
    expect(await app.tile(ann)).toMatchObject({ status: 'syncing', waiting_until: expect.any(String) })
    await inOwn((tx) => signOut(tx, connection, 'Connect again'))
    expect(await app.tile(ann)).toMatchObject({ status: 'na', waiting_until: null, error: 'Connect again' })
    expect(await inOwn((tx) => readSync(tx, workspaceId, id))).toMatchObject({ status: 'stopped' })
  })

  it('keeps the pause that the provider asked for when it is disconnected', async () => {
    const { workspaceId, id } = await app.connection(ann)
    await inOwn((tx) => pauseSync(tx, workspaceId, id, new Date(now().getTime() + 60_000), now()))
    await disconnect()
    await app.connect(ann)
    expect(await app.tile(ann)).toMatchObject({ status: 'syncing', waiting_until: expect.any(String) })
  })

  it('clears the error of an earlier try with its next page', async () => {
    const { workspaceId, id, step } = await app.connection(ann)
    await inOwn((tx) => holdSync(tx, workspaceId, id, 'No reply', now()))
    expect(await app.tile(ann)).toMatchObject({ status: 'syncing', error: 'No reply' })
    expect(await inOwn((tx) => stepSync(tx, { workspaceId, id, step }, page, now()))).toBe(step + 1)
    expect(await app.tile(ann)).toMatchObject({ status: 'syncing', error: null, progress: { read: 1 } })
  })
})

it.each(['disconnected', 'signed out'])('nothing of a sync is written once its connection is %s', async (how) => {
  const connection = await app.connection(ann)
  const { workspaceId, id, step } = connection
  if (how === 'disconnected') await disconnect()
  else await inOwn((tx) => signOut(tx, connection, 'Connect again'))
  const before = await rowOf(id)
  expect(before).toHaveLength(1)
  expect(await inOwn((tx) => stepSync(tx, { workspaceId, id, step }, page, now()))).toBeNull()
  expect(await inOwn((tx) => beginSync(tx, workspaceId, id, now()))).toBe(false)
  await inOwn((tx) => pauseSync(tx, workspaceId, id, now(), now()))
  await inOwn((tx) => holdSync(tx, workspaceId, id, 'No reply', now()))
  await inOwn((tx) => endSync(tx, workspaceId, id, { error: 'No reply', at: now() }))
  expect(await rowOf(id)).toEqual(before)
})

it('of two readers at the same step, one stores its page', async () => {
  const { workspaceId, id, step } = await app.connection(ann)
  const steps = [1, 2].map(() => inOwn((tx) => stepSync(tx, { workspaceId, id, step }, page, now())))
  expect(new Set(await Promise.all(steps))).toEqual(new Set([null, step + 1]))
})
