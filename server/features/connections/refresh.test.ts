import { randomUUID } from 'node:crypto'
import { connectorById } from '@groundswell/connectors/index.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connect, type Database } from '../../platform/db/database.ts'
import { inWorkspace } from '../../platform/db/tenant.ts'
import type { TestPerson } from '../../platform/http/testing.ts'
import { silentLog } from '../../platform/log/log.ts'
import type { Services } from '../../platform/services.ts'
import { type SyncApp, smallCompany, startSyncApp } from '../syncs/testing.ts'
import { callProvider } from './fresh-context.ts'
import { openSecrets, sealSecrets } from './secrets.ts'
import { type Connection, changeConnection, connectionById } from './store.ts'

const MINUTE_MS = 60_000
/** Shorter than our own sessions, so that nobody has to sign in here again. */
const ROTATION = { seconds: 20 * 60, graceMs: 0 }
const MESSAGES = 40
let app: SyncApp
let ann: TestPerson
/** Another process: with a pool and caches of its own. */
let other: { db: Database; services: Services }
/** How far the provider's clock is ahead of the machine's. */
let aheadMs = 0

beforeAll(async () => {
  app = await startSyncApp(smallCompany(MESSAGES), { rotation: ROTATION, now: () => new Date(Date.now() + aheadMs) })
  const { ownerUrl, appUrl } = app.test.database
  const db = connect({ ownerUrl, appUrl }, silentLog(), { poolSize: 5 })
  other = { db, services: { ...app.test.services, db } }
})
afterAll(async () => {
  await other.db.stop()
  await app.cleanup()
})
beforeEach(async () => {
  aheadMs = 0
  app.test.time.passMs = 0
  app.slack.rotateTokens(ROTATION)
  app.slack.limit({ perMinute: null, objects: 8 })
  ann = await app.test.person(randomUUID())
  await app.connect(ann)
})

const pass = (ms: number) => {
  aheadMs += ms
  app.test.time.passMs += ms
}
const refreshes = () =>
  app.slack
    .calls()
    .filter(({ method, values }) => method === 'oauth.v2.access' && values.grant_type === 'refresh_token').length
const fields = (connection: Connection) => openSecrets(app.test.services, connection).fields
async function stored(): Promise<Connection> {
  const { id } = await app.connection(ann)
  const row = await inWorkspace(app.test.services.db, ann.workspaceId, (tx) => connectionById(tx, ann.workspaceId, id))
  if (!row) throw new Error('not connected')
  return row
}
const check = connectorById('slack')?.check ?? (() => Promise.reject(new Error('there is no check')))
const ask = (connection: Connection, services = app.test.services) => callProvider(services, connection, check)

describe('credentials that end', () => {
  it('are refreshed once for 20 parallel calls of two processes, shortly before they end', async () => {
    const before = await stored()
    const at = refreshes()
    pass(14 * MINUTE_MS)
    await ask(before)
    expect(refreshes()).toBe(at)
    pass(2 * MINUTE_MS)
    const calls = Array.from({ length: 20 }, (_, index) => ask(before, index % 2 ? other.services : app.test.services))
    const answers = await Promise.all(calls)
    expect(answers.map(({ account }) => account)).toEqual(Array(20).fill(app.slack.teamId))
    expect(refreshes()).toBe(at + 1)
    const after = await stored()
    expect(fields(after)).not.toEqual(fields(before))
    expect(after.expiresAt?.getTime()).toBeGreaterThan((before.expiresAt?.getTime() ?? 0) + 15 * MINUTE_MS)
    expect(JSON.stringify(after)).not.toMatch(/xox/)
  })

  it('that were refused before their time are refreshed once, and each of 20 calls is made again', async () => {
    const before = await stored()
    const at = refreshes()
    aheadMs += 21 * MINUTE_MS
    const calls = Array.from({ length: 20 }, (_, index) => ask(before, index % 2 ? other.services : app.test.services))
    expect((await Promise.all(calls)).map(({ account }) => account)).toEqual(Array(20).fill(app.slack.teamId))
    expect(refreshes()).toBe(at + 1)
  })

  it('leave the signing secret as it is', async () => {
    const before = await stored()
    const secrets = { ...openSecrets(app.test.services, before), signing: { current: 'whsec_of_ann' } }
    const sealedSecrets = sealSecrets(app.test.services, before.id, secrets)
    await inWorkspace(app.test.services.db, ann.workspaceId, (tx) =>
      changeConnection(tx, ann.workspaceId, before.id, { sealedSecrets }),
    )
    pass(20 * MINUTE_MS)
    await ask(await stored())
    const after = openSecrets(app.test.services, await stored())
    expect(after.signing).toEqual({ current: 'whsec_of_ann' })
    expect(after.fields).not.toEqual(secrets.fields)
  })

  it('in the middle of a sync are refreshed, and it resumes after its last page', async () => {
    let pages = 0
    const first = await app.sync(ann, {}, async () => {
      pages += 1
      if (pages === 1) aheadMs += 21 * MINUTE_MS
    })
    expect(first).toBe(true)
    expect(await app.tile(ann)).toMatchObject({ status: 'syncing', error: null })
    while (await app.sync(ann));
    const texts = (await app.items(ann)).map(({ text }) => text)
    expect(texts.sort()).toEqual(
      app.slack.workspace
        .all()
        .map(({ text }) => text)
        .sort(),
    )
    expect(await app.tile(ann)).toMatchObject({ status: 'connected', progress: { read: MESSAGES } })
  })
})

describe('a refresh', () => {
  /** A process that is killed once the provider has received its refresh: it never writes to the database again. */
  const killed = (): Services => {
    const at = refreshes()
    const { db } = app.test.services
    const dying = {
      ...db,
      get kysely() {
        if (refreshes() > at) throw new Error('killed')
        return db.kysely
      },
    }
    return { ...app.test.services, db: dying }
  }

  it('that was killed before its answer was stored is made again with the old refresh token', async () => {
    app.slack.rotateTokens({ ...ROTATION, graceMs: 10 * MINUTE_MS })
    pass(20 * MINUTE_MS)
    const before = await stored()
    await expect(ask(before, killed())).rejects.toThrow('killed')
    expect(fields(await stored())).toEqual(fields(before))
    pass(31_000)
    expect(await ask(await stored(), other.services)).toMatchObject({ account: app.slack.teamId })
    expect(fields(await stored())).not.toEqual(fields(before))
  })

  it('that was killed, of a provider without grace, ends the sign-in with the reason; nothing that was read is lost', async () => {
    await app.sync(ann)
    pass(20 * MINUTE_MS)
    await expect(ask(await stored(), killed())).rejects.toThrow('killed')
    pass(31_000)
    await app.begin(ann)
    await app.sync(ann)
    const tile = await app.tile(ann)
    expect(tile).toMatchObject({
      status: 'na',
      error: expect.stringContaining('server was stopped while Slack issued'),
    })
    expect(await app.items(ann)).toHaveLength(MESSAGES)
    await app.connect(ann)
    expect(await app.sync(ann)).toBe(false)
    expect(await app.tile(ann)).toMatchObject({ status: 'connected', error: null })
    expect(await app.items(ann)).toHaveLength(MESSAGES)
  })

  it.each([
    ['429', 'rate-limited'],
    ['500', 'unavailable'],
  ] as const)('that fails with %s leaves the sign-in, and the next call refreshes again', async (fault, kind) => {
    pass(20 * MINUTE_MS)
    app.slack.fault(fault, 1, 'oauth.v2.access')
    await expect(app.sync(ann)).rejects.toMatchObject({ kind })
    expect(await app.tile(ann)).toMatchObject({ status: 'syncing' })
    pass(MINUTE_MS)
    expect(await app.sync(ann)).toBe(false)
    expect(await app.items(ann)).toHaveLength(MESSAGES)
  })

  it('is discarded when the owner has signed in again meanwhile', async () => {
    const before = await stored()
    pass(20 * MINUTE_MS)
    app.slack.fault('slow', 1, 'oauth.v2.access')
    const at = refreshes()
    const asked = ask(before)
    await expect.poll(refreshes, { timeout: 10_000, interval: 5 }).toBe(at + 1)
    const pasted = await app.test.call('POST', '/api/slack/add', {
      as: ann,
      payload: { bot_token: app.slack.botToken },
    })
    expect(pasted.statusCode).toBe(200)
    await asked
    const after = await stored()
    expect(fields(after)).toEqual({ bot_token: app.slack.botToken })
    expect(after.expiresAt).toBeNull()
  })

  // Last: the sandbox does not accept the pasted token any more either.
  it('that the provider refuses ends the sign-in', async () => {
    app.slack.revoke()
    pass(20 * MINUTE_MS)
    const tested = await app.test.call('POST', '/api/slack/test', { as: ann })
    expect(tested.json()).toMatchObject({ code: 'provider_refused' })
    expect(await app.tile(ann)).toMatchObject({ status: 'na', error: expect.stringContaining('Connect again') })
  })
})
