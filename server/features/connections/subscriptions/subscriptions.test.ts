import { createHmac, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { authenticate } from '../../../auth/index.ts'
import { inWorkspace } from '../../../platform/db/tenant.ts'
import { type TestPerson, testApp } from '../../../platform/http/testing.ts'
import { createLog } from '../../../platform/log/log.ts'
import { duringTests } from '../../../platform/testing.ts'
import { accountRoutes } from '../../accounts/index.ts'
import { syncRoutes, syncsView } from '../../syncs/index.ts'
import { liveConnections } from '../live.ts'
import { connectionRoutes } from '../routes.ts'
import { startAcme } from '../testing.ts'
import { ensureSubscription } from './ensure-subscription.ts'
import { removeSubscription } from './remove-subscription.ts'
import { sweepSubscriptions } from './sweep-subscriptions.ts'

vi.mock(import('@groundswell/connectors/index.ts'), async (original) => {
  const { connectors, connectorById } = await original()
  const { acme } = await import('../testing.ts')
  return { connectors: [...connectors, acme], connectorById: (id) => (id === 'acme' ? acme : connectorById(id)) }
})

const HOUR_MS = 3_600_000
let ann: TestPerson
let bob: TestPerson

const provider = duringTests(() => startAcme())
const test = duringTests(() =>
  testApp(
    (services) => ({
      handlers: [
        ...accountRoutes(services),
        ...connectionRoutes(services, { syncs: syncsView }),
        ...syncRoutes(services),
      ],
      authenticate: authenticate(services),
    }),
    {
      baseUrls: { acme: provider.server.url },
      appCredentials: { ACME_CLIENT_ID: 'client-1' },
    },
  ),
)
beforeEach(async () => {
  provider.subscriptions.clear()
  provider.refuse.length = 0
  provider.calls.length = 0
  test.time.passMs = 0
  Object.assign(test.services.config, { publicUrl: 'https://feedback.example.com' })
  ann = await test.person(randomUUID())
  bob = await test.person(randomUUID())
  await connect(ann, 'acme-of-ann')
})

async function connect(as: TestPerson, subdomain: string) {
  await test.call('POST', '/api/acme/authorize', { as, payload: { subdomain } })
  expect((await test.call('POST', '/api/acme/oauth', { as, payload: { code: 'c' } })).statusCode).toBe(200)
}
async function idOf(as: TestPerson): Promise<string> {
  const live = await inWorkspace(test.services.db, as.workspaceId, (tx) =>
    liveConnections(tx, as.workspaceId, 'source'),
  )
  return live[0]?.id ?? ''
}
const run = (lastAttempt = false) => ({ signal: new AbortController().signal, log: test.services.log, lastAttempt })
const ensure = async (as: TestPerson) =>
  ensureSubscription(test.services, { workspaceId: as.workspaceId, connectionId: await idOf(as) }, run())
async function jobs<T>(name: string, as = ann): Promise<T[]> {
  const { rows } = await sql<{ data: T }>`
    select data from queue.job where name = ${name} and data ->> 'workspaceId' = ${as.workspaceId}
    order by created_on`.execute(test.services.db.kysely)
  return rows.map(({ data }) => data)
}
type Removal = Parameters<typeof removeSubscription>[1]
const removals = () => jobs<Removal>('remove-subscription')
const tile = async (as = ann) => {
  const { connectors } = (await test.call('GET', '/api/connectors', { as })).json()
  return connectors.find((one: { manifest: { id: string } }) => one.manifest.id === 'acme').connection
}
const hook = (as = ann) => {
  const all = [...provider.subscriptions.values()]
  const found = as === ann ? all[0] : all[1]
  if (!found) throw new Error('not subscribed')
  return { path: new URL(found.url).pathname, secret: found.secret }
}
async function post(path: string, secret: string, event: object) {
  const body = JSON.stringify(event)
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  const headers = { 'content-type': 'application/json', 'x-acme-signature': signature }
  return test.call('POST', path, { payload: body, headers })
}
const eventIds = (as: TestPerson) =>
  inWorkspace(test.services.db, as.workspaceId, async (tx) => {
    const { rows } = await sql<{ id: string }>`select event_id as id from provider_event order by 1`.execute(tx)
    return rows.map(({ id }) => id)
  })

describe('an event with a key', () => {
  beforeEach(async () => {
    await connect(bob, 'acme-of-bob')
    await ensure(ann)
    await ensure(bob)
  })
  const event = (account: string) => ({ id: randomUUID(), account, text: 'Hello' })

  it('is stored for the connection of the key only, once', async () => {
    const { path, secret } = hook()
    const sent = event('acme-of-ann')
    expect((await post(path, secret, sent)).statusCode).toBe(200)
    expect((await post(path, secret, sent)).statusCode).toBe(200)
    expect(await eventIds(ann)).toEqual([sent.id])
    expect(await eventIds(bob)).toEqual([])
    expect(await jobs('follow-events')).toHaveLength(1)
  })

  it('is refused with another tenant’s secret, and dropped when it is about another account', async () => {
    const [own, other] = [hook(ann), hook(bob)]
    expect((await post(own.path, other.secret, event('acme-of-ann'))).statusCode).toBe(403)
    expect((await post(own.path, own.secret, event('acme-of-bob'))).statusCode).toBe(200)
    expect(await eventIds(ann)).toEqual([])
    expect(await eventIds(bob)).toEqual([])
    const unnamed = event('')
    await post(own.path, own.secret, unnamed)
    expect(await eventIds(ann)).toEqual([unnamed.id])
  })

  it('of an unknown key is answered like one that is forged', async () => {
    const { path, secret } = hook()
    const forged = await post(path, 'wrong', event('acme-of-ann'))
    const unknown = await post('/api/acme/events/unknown', secret, event('acme-of-ann'))
    const otherTile = await post(path.replace('acme', 'slack'), secret, event('acme-of-ann'))
    expect([forged.statusCode, unknown.statusCode, otherTile.statusCode]).toEqual([403, 403, 403])
    expect(unknown.json()).toEqual(forged.json())
  })

  it('is refused once the connection is disconnected', async () => {
    const { path, secret } = hook()
    await test.call('POST', '/api/acme/disconnect', { as: ann })
    expect((await post(path, secret, event('acme-of-ann'))).statusCode).toBe(403)
  })

  it('may be a handshake by GET or POST, with its query', async () => {
    const { path } = hook()
    const got = await test.call('GET', `${path}?validationToken=a%20b&x=1&x=2`)
    expect([got.statusCode, got.body]).toEqual([200, 'a b'])
    expect((await test.call('POST', `${path}?validationToken=c`)).body).toBe('c')
    expect((await test.call('GET', '/api/acme/events/unknown?validationToken=c')).statusCode).toBe(403)
  })

  it('leaves no key in the database or in a log', async () => {
    const { path, secret } = hook()
    const key = path.split('/').at(-1) ?? ''
    expect(Buffer.from(key, 'base64url')).toHaveLength(32)
    const { rows } = await inWorkspace(test.services.db, ann.workspaceId, (tx) =>
      sql`select * from event_subscription`.execute(tx),
    )
    expect(JSON.stringify(rows)).not.toContain(key)
    expect(JSON.stringify(rows)).not.toContain(secret)
    const lines: string[] = []
    const log = createLog({ logLevel: 'trace', destination: { write: (line) => void lines.push(line) } })
    const { createHttp } = await import('../../../platform/http/create.ts')
    const services = { ...test.services, log }
    const app = await createHttp(services, { handlers: syncRoutes(services), authenticate: async () => null })
    await app.inject({ method: 'GET', url: path })
    await app.close()
    expect(lines.join('')).toContain('/api/acme/events/…')
    expect(lines.join('')).not.toContain(key)
  })
})

describe('a subscription', () => {
  it('is created after connecting, and ensured again after choices are saved', async () => {
    expect(await jobs('ensure-subscription')).toHaveLength(1)
    await ensure(ann)
    expect(provider.subscriptions.size).toBe(1)
    expect(await tile()).toMatchObject({ status: 'connected', note: null })
    const before = hook()
    await test.call('PUT', '/api/acme/choices', { as: ann, payload: { boards: ['b1'] } })
    await ensure(ann)
    expect(provider.calls.filter(({ call }) => /^(POST|PUT) .subscriptions/.test(call))).toHaveLength(2)
    expect(provider.subscriptions.size).toBe(1)
    expect(hook()).toEqual(before)
  })

  it('is renewed before it ends, and not before', async () => {
    await sql`delete from queue.job where name = 'ensure-subscription'`.execute(test.services.db.kysely)
    await ensure(ann)
    test.time.passMs += 1.9 * HOUR_MS
    await sweepSubscriptions(test.services)
    expect(await jobs('ensure-subscription')).toEqual([])
    test.time.passMs += 0.2 * HOUR_MS
    await sweepSubscriptions(test.services)
    expect(await jobs('ensure-subscription')).toHaveLength(1)
    await ensure(ann)
    expect(provider.calls.at(-1)?.call).toMatch(/^PUT .subscriptions/)
  })

  it.each([
    [500, 'Acme is temporarily unavailable', 0.3],
    [403, 'Acme answered 403', 25],
  ])('that fails with %i is a note on the tile and tried again later', async (status, reason, hours) => {
    await sql`delete from queue.job where name = 'ensure-subscription'`.execute(test.services.db.kysely)
    provider.refuse.push(status)
    await ensure(ann)
    const note = `Changes arrive by polling, because ${reason}`
    expect(await tile()).toMatchObject({ status: 'connected', error: null, note })
    await sweepSubscriptions(test.services)
    expect(await jobs('ensure-subscription')).toEqual([])
    test.time.passMs += hours * HOUR_MS
    await sweepSubscriptions(test.services)
    expect(await jobs('ensure-subscription')).toHaveLength(1)
    test.time.passMs = 0
    await ensure(ann)
    expect(await tile()).toMatchObject({ note: null })
  })

  it.each([
    [undefined, 'has no public address'],
    ['http://feedback.example.com', 'is not https'],
    ['https://127.0.0.1', 'is a private one'],
  ])('is not asked for where the public address is %s', async (publicUrl, reason) => {
    Object.assign(test.services.config, { publicUrl })
    await ensure(ann)
    expect(provider.subscriptions.size).toBe(0)
    expect((await tile()).note).toContain(reason)
  })

  it('is created at a private address that the operator allows', async () => {
    Object.assign(test.services.config, { publicUrl: 'http://127.0.0.1:3000', allowPrivateAddresses: ['127.0.0.1'] })
    await ensure(ann)
    Object.assign(test.services.config, { allowPrivateAddresses: [] })
    expect(provider.subscriptions.size).toBe(1)
  })

  it('is removed by a job after the disconnect, with credentials that are refreshed where they have ended', async () => {
    await ensure(ann)
    test.time.passMs += 0.99 * HOUR_MS
    expect((await test.call('POST', '/api/acme/disconnect', { as: ann })).statusCode).toBe(200)
    expect(provider.subscriptions.size).toBe(1)
    const [job] = await removals()
    if (!job) throw new Error('there is no job')
    expect(JSON.stringify(job)).not.toContain('token-')
    await removeSubscription(test.services, job, run())
    const renewed = (await removals()).find((one) => one.renewed)
    if (!renewed) throw new Error('there is no second job')
    provider.refuse.push(500)
    await expect(removeSubscription(test.services, renewed, run())).rejects.toMatchObject({ kind: 'unavailable' })
    await removeSubscription(test.services, renewed, run())
    expect(provider.subscriptions.size).toBe(0)
    const [old, last] = [provider.calls[0], provider.calls.at(-1)]
    expect(last?.token).toMatch(/^token-/)
    expect(last?.token).not.toBe(old?.token)
  })

  it('that was created while the connection was disconnected is removed', async () => {
    provider.meanwhile = async () => {
      await test.call('POST', '/api/acme/disconnect', { as: ann })
    }
    await ensure(ann)
    expect(provider.subscriptions.size).toBe(1)
    const found = await removals()
    expect(found).toHaveLength(1)
    for (const removal of found) await removeSubscription(test.services, removal, run())
    expect(provider.subscriptions.size).toBe(0)
  })
})
