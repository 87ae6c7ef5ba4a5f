import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connectors } from '@groundswell/connectors/index.ts'
import { WebhookPayload } from '@groundswell/contract/receivers/webhook-payload.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { authenticate } from '../../auth/index.ts'
import { inWorkspace } from '../../platform/db/tenant.ts'
import { type TestApp, type TestPerson, testApp } from '../../platform/http/testing.ts'
import { proves } from '../../platform/proves.ts'
import { accountRoutes } from '../accounts/index.ts'
import { syncRoutes, syncsView } from '../syncs/index.ts'
import { connectionContext } from './context.ts'
import { fileConnection, liveConnections } from './live.ts'
import { connectionRoutes } from './routes.ts'
import { openSecrets, sealSecrets } from './sealing/secrets.ts'
import { changeConnection, connectionById, pauseConnection } from './store.ts'

type Received = { headers: IncomingHttpHeaders; body: string }

let test: TestApp
let ann: TestPerson
let receiver: Server
let url: string
let answerWith = { status: 200, body: 'thanks' }
const received: Received[] = []
const opened: string[] = []
const resumed: string[] = []
let people = 0

beforeAll(async () => {
  const hooks = {
    syncs: syncsView,
    destinationReady: async (_tx: unknown, { workspaceId }: { workspaceId: string }) => void opened.push(workspaceId),
    destinationResumed: async (_tx: unknown, { workspaceId }: { workspaceId: string }) =>
      void resumed.push(workspaceId),
  }
  test = await testApp(
    (services) => ({
      handlers: [...accountRoutes(services), ...connectionRoutes(services, hooks), ...syncRoutes(services)],
      authenticate: authenticate(services),
    }),
    { allowPrivateAddresses: ['127.0.0.1'] },
  )
  receiver = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(parts).toString() })
      response.writeHead(answerWith.status).end(answerWith.body)
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook?key=hidden`
})
afterAll(async () => {
  await new Promise((resolve) => receiver.close(resolve))
  await test.cleanup()
})
beforeEach(async () => {
  people += 1
  ann = await test.person(`ann${people}`)
})
afterEach(() => {
  answerWith = { status: 200, body: 'thanks' }
  received.length = 0
  opened.length = 0
  resumed.length = 0
})

const post = (path: string, payload?: object, as: TestPerson = ann) => test.call('POST', path, { as, payload })
const add = (form: object = { webhook: url }, as: TestPerson = ann) => post('/api/webhook/add', form, as)
const live = (as: TestPerson = ann) =>
  inWorkspace(test.services.db, as.workspaceId, (tx) => liveConnections(tx, as.workspaceId))
const tile = async (as: TestPerson = ann) => {
  const { connectors: listed } = (await test.call('GET', '/api/connectors', { as })).json()
  return listed.find((one: { manifest: { id: string } }) => one.manifest.id === 'webhook').connection
}

describe('the list of connectors', () => {
  it('has every connector with its form, and no connection at first', async () => {
    const { connectors: listed } = (await test.call('GET', '/api/connectors', { as: ann })).json()
    expect(listed.map((one: { manifest: { id: string } }) => one.manifest.id)).toEqual(
      connectors.map((connector) => connector.manifest.id),
    )
    expect(listed.every((one: { connection: unknown }) => one.connection === null)).toBe(true)
    const webhook = listed.find((one: { manifest: { id: string } }) => one.manifest.id === 'webhook').manifest
    expect(webhook.fields.map((field: { name: string }) => field.name)).toEqual(['webhook', 'client_token'])
    expect(webhook).not.toHaveProperty('secretFields')
  })
})

const unconnected = { slack_data: null, azure_data: null, webhook_destination: null, destination_webhook: false }

describe('connecting by form', () => {
  it('fills its own fields of the user data; those of what is not connected are null or false', async () => {
    const user = async () => (await test.call('GET', '/api/user/user-data', { as: ann })).json()
    expect(await user()).toMatchObject(unconnected)
    await add()
    expect(await user()).toMatchObject({ ...unconnected, webhook_destination: { url }, destination_webhook: true })
  })

  it('sends nothing, seals the URL and the token, and shows the URL to its user alone', async () => {
    const answer = await add({ webhook: url, client_token: 'tok-123' })
    expect(answer.json()).toEqual({ message: 'Webhook is connected' })
    expect(await tile()).toMatchObject({ status: 'connected', paused: false, push_automatically: true, error: null })
    const user = (await test.call('GET', '/api/user/user-data', { as: ann })).json()
    expect(user).toMatchObject({ webhook_destination: { url }, destination_webhook: true })
    const [connection] = await live()
    expect(JSON.stringify(connection)).not.toMatch(/tok-123|hidden|127\.0\.0\.1/)
    expect(received).toEqual([])
    expect(opened).toEqual([ann.workspaceId])
    if (!connection) throw new Error('not connected')
    const { secrets } = connectionContext(test.services, connection)
    expect(secrets).toEqual({ webhook: url, client_token: 'tok-123', signing_secret: expect.stringMatching(/^whsec_/) })
    const stolen = { ...connection, id: '00000000-0000-4000-8000-000000000000' }
    expect(() => connectionContext(test.services, stolen)).toThrow('connect it again')
  })

  it('again changes the values and keeps the id and the signing secret', async () => {
    await add({ webhook: url, client_token: 'old' })
    const [before] = await live()
    const secret = (await test.call('GET', '/api/webhook/signing-secret', { as: ann })).json()
    await add({ webhook: `${url}&v=2`, client_token: null })
    const [after] = await live()
    expect(after).toMatchObject({ id: before?.id, settings: {} })
    expect((await test.call('GET', '/api/webhook/signing-secret', { as: ann })).json()).toEqual(secret)
    if (!after) throw new Error('not connected')
    const { secrets } = connectionContext(test.services, after)
    expect(secrets['webhook']).toBe(`${url}&v=2`)
    expect(secrets).not.toHaveProperty('client_token')
  })

  it('twice at the same time makes one connection', async () => {
    proves('2.3.4')
    const answers = await Promise.all([add(), add(), add()])
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 200])
    expect(await live()).toHaveLength(1)
  })

  it.each([
    ['/api/webhook/add', { webhook: 'nonsense' }, 400, 'invalid_input'],
    ['/api/webhook/add', { webhook: 'ftp://example.com' }, 400, 'invalid_input'],
    ['/api/webhook/add', { webhook: 'http://127.0.0.2/hook' }, 400, 'invalid_input'],
    ['/api/webhook/add', { webhook: 'http://[::ffff:169.254.169.254]/latest/' }, 400, 'invalid_input'],
    ['/api/webhook/add', {}, 400, 'invalid_input'],
    ['/api/nothing/add', {}, 404, 'not_found'],
    ['/api/file/add', {}, 404, 'not_found'],
    ['/api/UPPER/add', {}, 400, 'invalid_input'],
    ['/api/webhook/test', undefined, 422, 'not_configured'],
    ['/api/webhook/disconnect', undefined, 422, 'not_configured'],
    ['/api/webhook/cancel', undefined, 422, 'not_configured'],
    ['/api/webhook/signing-secret/rotate', undefined, 422, 'not_configured'],
    ['/api/slack/signing-secret/rotate', undefined, 422, 'not_configured'],
  ])('refuses by name: %s %j', async (path, form, status, code) => {
    const answer = await post(path, form)
    expect([answer.statusCode, answer.json().code]).toEqual([status, code])
    const fields = Object.keys(answer.json().fields ?? {})
    expect(fields).toEqual(path === '/api/webhook/add' ? ['webhook'] : path.includes('UPPER') ? ['tile'] : [])
    expect(await live()).toEqual([])
  })

  it.each([
    ['github', { token: 'github_pat_11AAAAAAA0abcdefgh', server: 'http://10.0.0.7' }],
    ['azure', { pat: 'a'.repeat(52), server: 'http://10.0.0.7/tfs/DefaultCollection' }],
  ])('refuses the private address of a server in the form of %s, by its field', async (tile, form) => {
    const answer = await post(`/api/${tile}/add`, form)
    expect([answer.statusCode, Object.keys(answer.json().fields)]).toEqual([400, ['server']])
    expect(await live()).toEqual([])
  })
})

describe('a connector that the operator has declared coming soon', () => {
  it('is refused by name and shown as such', async () => {
    Object.assign(test.services.config, { comingSoon: ['webhook'] })
    try {
      const answer = await add()
      expect([answer.statusCode, answer.json().code]).toEqual([422, 'not_configured'])
      expect(answer.json().message).toBe('Webhook is coming soon')
      expect(await live()).toEqual([])
      const { connectors } = (await test.call('GET', '/api/connectors', { as: ann })).json()
      const shown = connectors.map(({ manifest }: { manifest: { id: string; coming_soon: boolean } }) => [
        manifest.id,
        manifest.coming_soon,
      ])
      expect(shown.filter(([, soon]: [string, boolean]) => soon)).toEqual([['webhook', true]])
    } finally {
      Object.assign(test.services.config, { comingSoon: [] })
    }
  })
})

describe('Test', () => {
  it('sends example data by the real connector, signed, and returns the reply', async () => {
    await add({ webhook: url, client_token: 'tok-123' })
    const answer = await post('/api/webhook/test')
    expect(answer.json()).toEqual({ message: 'Example data pushed successfully.', status: 200, answer: 'thanks' })
    const [request] = received
    const payload = WebhookPayload.parse(JSON.parse(request?.body ?? ''))
    expect(payload.type).toBe('insight.test')
    expect(payload.data.evidence.length).toBeGreaterThan(1)
    expect(request?.headers.authorization).toBe('Bearer tok-123')
    expect(request?.headers['webhook-id']).toBe(payload.delivery_id)
    const { secret } = (await test.call('GET', '/api/webhook/signing-secret', { as: ann })).json()
    expect(request && signatures(request)).toContain(request && sign(secret, request))
  })

  it('reports its outcome, which the tile shows until the next one', async () => {
    await add()
    expect((await tile()).last_test).toBeNull()
    answerWith = { status: 500, body: 'we are down' }
    const down = await post('/api/webhook/test')
    expect([down.statusCode, down.json().code]).toEqual([502, 'provider_unavailable'])
    expect(down.json().message).toContain('we are down')
    expect(await tile()).toMatchObject({
      error: null,
      last_test: { ok: false, status: 500, message: down.json().message },
    })
    answerWith = { status: 400, body: '{"error":{"message":"No such queue","code":7}}' }
    expect((await post('/api/webhook/test')).json().message).toMatch(/^[^{]+ It said: No such queue$/)
    answerWith = { status: 410, body: '' }
    const refused = await post('/api/webhook/test')
    expect([refused.statusCode, refused.json().code]).toEqual([422, 'provider_refused'])
    answerWith = { status: 204, body: '' }
    expect((await post('/api/webhook/test')).statusCode).toBe(200)
    expect(await tile()).toMatchObject({ error: null, last_test: { ok: true, status: 204, at: expect.any(String) } })
    await add()
    expect((await tile()).last_test).toBeNull()
  })

  it('reaches no private address that the operator has not allowed', async () => {
    await add()
    await inWorkspace(test.services.db, ann.workspaceId, async (tx) => {
      const [connection] = await liveConnections(tx, ann.workspaceId)
      if (!connection) throw new Error('not connected')
      const { signing, fields } = openSecrets(test.services, connection)
      const moved = {
        fields: { ...fields, webhook: url.replace('127.0.0.1', '127.0.0.2') },
        ...(signing ? { signing } : {}),
      }
      const sealedSecrets = sealSecrets(test.services, connection.id, moved)
      await changeConnection(tx, ann.workspaceId, connection.id, { sealedSecrets })
    })
    const answer = await post('/api/webhook/test')
    expect([422, 502]).toContain(answer.statusCode)
    expect(received).toEqual([])
  })
})

describe('a connection', () => {
  it('ends by disconnecting: its secrets go, its row stays, and the next one is another', async () => {
    await add()
    const [first] = await live()
    expect((await post('/api/webhook/disconnect')).json()).toEqual({ message: 'Webhook is disconnected' })
    expect(await tile()).toBeNull()
    expect((await test.call('GET', '/api/user/user-data', { as: ann })).json()).toMatchObject(unconnected)
    const kept = await inWorkspace(test.services.db, ann.workspaceId, (tx) =>
      connectionById(tx, ann.workspaceId, first?.id ?? ''),
    )
    expect(kept).toMatchObject({ id: first?.id, sealedSecrets: null, disconnectedAt: expect.any(Date) })
    await add()
    expect((await live())[0]?.id).not.toBe(first?.id)
  })

  it('is paused by the endpoint and resumed by its owner', async () => {
    await add()
    const [connection] = await live()
    await inWorkspace(test.services.db, ann.workspaceId, (tx) =>
      pauseConnection(tx, ann.workspaceId, connection?.id ?? '', 'It answered 410 Gone'),
    )
    expect(await tile()).toMatchObject({ paused: true, error: 'It answered 410 Gone' })
    opened.length = 0
    const answer = await test.call('PATCH', '/api/webhook/connection', { as: ann, payload: { paused: false } })
    expect(answer.json()).toMatchObject({ paused: false, error: null })
    expect([opened, resumed]).toEqual([[], [ann.workspaceId]])
  })

  it('pushes automatically or not', async () => {
    await add()
    opened.length = 0
    const set = (push_automatically: boolean) =>
      test.call('PATCH', '/api/webhook/connection', { as: ann, payload: { push_automatically } })
    expect((await set(false)).json().push_automatically).toBe(false)
    expect(opened).toEqual([])
    expect((await set(true)).json().push_automatically).toBe(true)
    expect(opened).toEqual([ann.workspaceId])
    expect((await post('/api/webhook/cancel')).json()).toEqual({ message: 'No sync was running' })
  })

  it('signs with the old secret too for a day after a rotation', async () => {
    await add()
    const old = (await test.call('GET', '/api/webhook/signing-secret', { as: ann })).json().secret
    const fresh = (await post('/api/webhook/signing-secret/rotate')).json().secret
    expect(fresh).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(fresh).not.toBe(old)
    const [connection] = await live()
    if (!connection) throw new Error('not connected')
    const secrets = () => connectionContext(test.services, connection).secrets
    expect(secrets()).toEqual({ webhook: url, signing_secret: fresh, signing_secret_old: old })
    test.time.passMs += 24 * 3_600_000 + 1
    expect(secrets()).toEqual({ webhook: url, signing_secret: fresh })
    test.time.passMs = 0
  })

  it('of files is made once, when it is needed', async () => {
    const ids = await Promise.all(
      [1, 2, 3].map(() => inWorkspace(test.services.db, ann.workspaceId, (tx) => fileConnection(tx, ann.workspaceId))),
    )
    expect(new Set(ids.map((one) => one.id)).size).toBe(1)
    const sides = await inWorkspace(test.services.db, ann.workspaceId, async (tx) => [
      await liveConnections(tx, ann.workspaceId, 'source'),
      await liveConnections(tx, ann.workspaceId, 'destination'),
    ])
    expect(sides.map((side) => side.length)).toEqual([1, 0])
  })

  it('is its own workspace’s alone', async () => {
    const bo = await test.person(`bo${people}`)
    await add()
    const [connection] = await live()
    for (const path of ['test', 'disconnect', 'cancel', 'signing-secret/rotate']) {
      expect((await post(`/api/webhook/${path}`, undefined, bo)).json().code).toBe('not_configured')
    }
    expect((await test.call('GET', '/api/webhook/signing-secret', { as: bo })).statusCode).toBe(422)
    expect(await tile(bo)).toBeNull()
    const across = await inWorkspace(test.services.db, bo.workspaceId, (tx) =>
      connectionById(tx, ann.workspaceId, connection?.id ?? ''),
    )
    expect(across).toBeNull()
    expect(received).toEqual([])
  })
})

function signatures({ headers }: Received): string[] {
  return String(headers['webhook-signature']).split(' ')
}

function sign(secret: string, { headers, body }: Received): string {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const text = [headers['webhook-id'], headers['webhook-timestamp'], body].map(String).join('.')
  return `v1,${createHmac('sha256', key).update(text).digest('base64')}`
}
