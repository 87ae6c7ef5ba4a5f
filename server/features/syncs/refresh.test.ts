import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import type { TestPerson } from '../../platform/http/testing.ts'
import type { Services } from '../../platform/services.ts'
import { duringTests } from '../../platform/testing.ts'
import { callProvider } from '../connections/index.ts'
import { smallCompany, startSyncApp } from './testing.ts'

const MINUTE_MS = 60_000
/** Shorter than our own sessions, so that nobody has to sign in here again. */
const ROTATION = { seconds: 20 * 60, graceMs: 0 }
const MESSAGES = 40
let ann: TestPerson
/** How far the provider's clock is ahead of the machine's. */
let aheadMs = 0

const app = duringTests(() =>
  startSyncApp(smallCompany(MESSAGES), { rotation: ROTATION, now: () => new Date(Date.now() + aheadMs) }),
)
beforeEach(async () => {
  aheadMs = 0
  app.test.time.passMs = 0
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

describe('credentials that end', () => {
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

  it('that was killed, of a provider without grace, ends the sign-in with the reason; nothing that was read is lost', async () => {
    await app.sync(ann)
    pass(20 * MINUTE_MS)
    const connection = await app.connection(ann)
    await expect(callProvider(killed(), connection, async () => undefined)).rejects.toThrow('killed')
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
})
