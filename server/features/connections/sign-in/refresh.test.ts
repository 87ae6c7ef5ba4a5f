import { randomUUID } from 'node:crypto'
import { connectorById } from '@groundswell/connectors/index.ts'
import { AppRefused } from '@groundswell/connectors/kit/errors.ts'
import { holdAnswers } from '@groundswell/connectors/kit/testing.ts'
import { decide, startSlack } from '@groundswell/connectors/sandbox/index.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { connect, type Database } from '../../../platform/db/database.ts'
import { inWorkspace } from '../../../platform/db/tenant.ts'
import type { TestPerson } from '../../../platform/http/testing.ts'
import { silentLog } from '../../../platform/log/log.ts'
import type { Services } from '../../../platform/services.ts'
import { duringTests } from '../../../platform/testing.ts'
import { appOfFile, configWith } from '../../../testing.ts'
import { accountRoutes } from '../../accounts/index.ts'
import { syncsView } from '../../syncs/index.ts'
import { liveConnections } from '../live.ts'
import { connectionRoutes } from '../routes.ts'
import { openSecrets, sealSecrets } from '../sealing/secrets.ts'
import { type Connection, changeConnection } from '../store.ts'
import { callProvider } from './fresh-context.ts'

const MINUTE_MS = 60_000
/** Shorter than our own sessions, so that nobody has to sign in here again. */
const ROTATION = { seconds: 20 * 60, graceMs: 0 }
let ann: TestPerson
/** Another process: with a pool and its own caches. */
let other: { db: Database; services: Services }
/** How far the provider's clock is ahead of the machine's. */
let aheadMs = 0

const slack = duringTests(() =>
  startSlack({ company: [], rotation: ROTATION, now: () => new Date(Date.now() + aheadMs) }),
)
const test = appOfFile(
  (services) => [...accountRoutes(services), ...connectionRoutes(services, { syncs: syncsView })],
  () => configWith(slack),
)

beforeAll(async () => {
  const { ownerUrl, appUrl } = test.database
  const db = connect({ ownerUrl, appUrl }, silentLog(), { poolSize: 5 })
  other = { db, services: { ...test.services, db } }
})
afterAll(async () => {
  await other.db.stop()
})
beforeEach(async () => {
  aheadMs = 0
  test.time.passMs = 0
  slack.rotateTokens(ROTATION)
  ann = await test.person(randomUUID())
  const { url } = (await test.call('POST', '/api/slack/authorize', { as: ann })).json()
  const payload = Object.fromEntries((await decide(url)).back.searchParams)
  const signedIn = await test.call('POST', '/api/slack/oauth', { as: ann, payload })
  if (signedIn.statusCode !== 200) throw new Error(signedIn.body)
})

const pass = (ms: number) => {
  aheadMs += ms
  test.time.passMs += ms
}
const refreshes = () =>
  slack.calls().filter(({ method, values }) => method === 'oauth.v2.access' && values.grant_type === 'refresh_token')
    .length
const fields = (connection: Connection) => openSecrets(test.services, connection).fields
async function stored(): Promise<Connection> {
  const [row] = await inWorkspace(test.services.db, ann.workspaceId, (tx) =>
    liveConnections(tx, ann.workspaceId, 'source'),
  )
  if (!row) throw new Error('not connected')
  return row
}
const check = connectorById('slack')?.check ?? (() => Promise.reject(new Error('there is no check')))
const ask = (connection: Connection, services = test.services) => callProvider(services, connection, check)

describe('credentials that end', () => {
  it('are refreshed once for 20 parallel calls of two processes, shortly before they end', async () => {
    const before = await stored()
    const at = refreshes()
    pass(14 * MINUTE_MS)
    await ask(before)
    expect(refreshes()).toBe(at)
    pass(2 * MINUTE_MS)
    const calls = Array.from({ length: 20 }, (_, index) => ask(before, index % 2 ? other.services : test.services))
    const answers = await Promise.all(calls)
    expect(answers.map(({ account }) => account)).toEqual(Array(20).fill(slack.teamId))
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
    const calls = Array.from({ length: 20 }, (_, index) => ask(before, index % 2 ? other.services : test.services))
    expect((await Promise.all(calls)).map(({ account }) => account)).toEqual(Array(20).fill(slack.teamId))
    expect(refreshes()).toBe(at + 1)
  })

  it('leave the signing secret as it is', async () => {
    const before = await stored()
    const secrets = { ...openSecrets(test.services, before), signing: { current: 'whsec_of_ann' } }
    const sealedSecrets = sealSecrets(test.services, before.id, secrets)
    await inWorkspace(test.services.db, ann.workspaceId, (tx) =>
      changeConnection(tx, ann.workspaceId, before.id, { sealedSecrets }),
    )
    pass(20 * MINUTE_MS)
    await ask(await stored())
    const after = openSecrets(test.services, await stored())
    expect(after.signing).toEqual({ current: 'whsec_of_ann' })
    expect(after.fields).not.toEqual(secrets.fields)
  })
})

describe('a refresh', () => {
  it('that fails because of the app’s secret ends no sign-in, and succeeds once that is corrected', async () => {
    const { config } = test.services
    const appCredentials = { ...config.appCredentials, SLACK_CLIENT_SECRET: 'the-one-before' }
    const before = await stored()
    pass(20 * MINUTE_MS)
    const misconfigured = { ...test.services, config: { ...config, appCredentials } }
    await expect(ask(before, misconfigured)).rejects.toBeInstanceOf(AppRefused)
    expect(await stored()).toEqual(before)
    expect(await ask(await stored())).toMatchObject({ account: slack.teamId })
  })

  /** A process that is killed once the provider has received its refresh: it never writes to the database again. */
  const killed = (): Services => {
    const at = refreshes()
    const { db } = test.services
    const dying = {
      ...db,
      get kysely() {
        if (refreshes() > at) throw new Error('killed')
        return db.kysely
      },
    }
    return { ...test.services, db: dying }
  }

  it('that was killed before its answer was stored is made again with the old refresh token', async () => {
    slack.rotateTokens({ ...ROTATION, graceMs: 10 * MINUTE_MS })
    pass(20 * MINUTE_MS)
    const before = await stored()
    await expect(ask(before, killed())).rejects.toThrow('killed')
    expect(fields(await stored())).toEqual(fields(before))
    pass(31_000)
    expect(await ask(await stored(), other.services)).toMatchObject({ account: slack.teamId })
    expect(fields(await stored())).not.toEqual(fields(before))
  })

  it('is discarded when the owner has signed in again meanwhile', async () => {
    const before = await stored()
    pass(20 * MINUTE_MS)
    await using front = await holdAnswers(slack.url, 'oauth.v2.access')
    test.services.config.baseUrls = { slack: front.url }
    onTestFinished(() => {
      test.services.config.baseUrls = { slack: slack.url }
    })
    const at = refreshes()
    const asked = ask(before)
    await front.asked
    expect(refreshes()).toBe(at + 1)
    const pasted = await test.call('POST', '/api/slack/add', {
      as: ann,
      payload: { bot_token: slack.botToken },
    })
    expect(pasted.statusCode).toBe(200)
    front.release()
    await asked
    const after = await stored()
    expect(fields(after)).toEqual({ bot_token: slack.botToken })
    expect(after.expiresAt).toBeNull()
  })

  // Last: the sandbox does not accept the pasted token any more either.
  it('that the provider refuses ends the sign-in', async () => {
    slack.revoke()
    pass(20 * MINUTE_MS)
    const tested = await test.call('POST', '/api/slack/test', { as: ann })
    expect(tested.json()).toMatchObject({ code: 'provider_refused' })
    expect({ ...(await stored()) }).toMatchObject({ signedOut: true, error: expect.stringContaining('Connect again') })
  })
})
