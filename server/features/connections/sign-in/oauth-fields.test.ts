import { createHash, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, expect, it, vi } from 'vitest'
import { authenticate } from '../../../auth/index.ts'
import { inWorkspace } from '../../../platform/db/tenant.ts'
import { type TestPerson, testApp } from '../../../platform/http/testing.ts'
import { duringTests } from '../../../platform/testing.ts'
import { accountRoutes } from '../../accounts/index.ts'
import { syncsView } from '../../syncs/index.ts'
import { connectionRoutes } from '../routes.ts'
import { startAcme } from '../testing.ts'

vi.mock(import('@groundswell/connectors/index.ts'), async (original) => {
  const { connectors, connectorById } = await original()
  const { acme } = await import('../testing.ts')
  return { connectors: [...connectors, acme], connectorById: (id) => (id === 'acme' ? acme : connectorById(id)) }
})

let ann: TestPerson

const provider = duringTests(() => startAcme())
const test = duringTests(() =>
  testApp(
    (services) => ({
      handlers: [...accountRoutes(services), ...connectionRoutes(services, { syncs: syncsView })],
      authenticate: authenticate(services),
    }),
    {
      publicUrl: 'https://feedback.example.com',
      baseUrls: { acme: provider.server.url },
      appCredentials: { ACME_CLIENT_ID: 'client-1' },
    },
  ),
)
beforeEach(async () => {
  provider.calls.length = 0
  ann = await test.person(randomUUID())
})

const authorize = (payload?: object) =>
  test.call('POST', '/api/acme/authorize', { as: ann, ...(payload ? { payload } : {}) })
const finish = (payload: object) => test.call('POST', '/api/acme/oauth', { as: ann, payload })
async function begin(): Promise<URL> {
  const answer = await authorize({ subdomain: 'tallybrook' })
  expect(answer.statusCode).toBe(200)
  return new URL(answer.json().url)
}
const exchanged = () => provider.calls.filter(({ call }) => call === 'POST /token').map(({ body }) => body)

it('shows what it asks for before signing in', async () => {
  const { connectors } = (await test.call('GET', '/api/connectors', { as: ann })).json()
  const { manifest } = connectors.find((one: { manifest: { id: string } }) => one.manifest.id === 'acme')
  expect(manifest.sign_in_fields).toMatchObject([{ name: 'subdomain', required: true }, { name: 'host' }])
})

it('signs in with the values entered, PKCE and everything that the provider sent back', async () => {
  const url = await begin()
  expect(url.pathname).toBe('/tallybrook/authorize')
  const state = url.searchParams.get('state')
  const query = { code: 'c-1', state: String(state), location: 'eu' }
  expect((await finish({ code: 'c-1', state, query })).json()).toEqual({ message: 'Acme is connected' })
  const [request] = exchanged()
  expect(request).toMatchObject({ code: 'c-1', query })
  const challenge = createHash('sha256').update(String(request?.codeVerifier)).digest('base64url')
  expect(url.searchParams.get('code_challenge')).toBe(challenge)
  const rows = await inWorkspace(test.services.db, ann.workspaceId, async (tx) => {
    const { rows } = await sql<{ settings: unknown; account: string; ends: Date }>`
      select settings, account, expires_at as ends from connection`.execute(tx)
    return rows
  })
  expect(rows).toMatchObject([{ account: 'tallybrook', settings: { subdomain: 'tallybrook' }, ends: expect.any(Date) }])
})

it('stores neither the verifier nor the values in plain text', async () => {
  await begin()
  const rows = await inWorkspace(test.services.db, ann.workspaceId, (tx) => sql`select * from oauth_state`.execute(tx))
  expect(rows.rows).toHaveLength(1)
  expect(JSON.stringify(rows.rows)).not.toContain('tallybrook')
})

it.each([
  [undefined, 'subdomain'],
  [{ subdomain: 'evil.example/x' }, 'subdomain'],
  [{ subdomain: 'a', host: 'http://169.254.169.254' }, 'host'],
  [{ subdomain: 'a', host: 'https://127.0.0.1' }, 'host'],
  [{ subdomain: 'a', host: 'https://[::1]' }, 'host'],
])('refuses %j at its field, and starts nothing', async (payload, field) => {
  const answer = await authorize(payload)
  expect(answer.json()).toMatchObject({ code: 'invalid_input', fields: { [field]: expect.any(String) } })
  const rows = await inWorkspace(test.services.db, ann.workspaceId, (tx) => sql`select * from oauth_state`.execute(tx))
  expect(rows.rows).toEqual([])
})

it('needs no code where the provider sends something else back to a state', async () => {
  const state = (await begin()).searchParams.get('state')
  expect((await finish({ query: { installation_id: '77' } })).json()).toMatchObject({ code: 'invalid_input' })
  expect((await finish({ state, query: {} })).json()).toMatchObject({ fields: { 'body.code': expect.any(String) } })
  expect((await finish({ state, query: { installation_id: '77' } })).statusCode).toBe(200)
  expect(exchanged()).toMatchObject([{ code: '', query: { installation_id: '77' } }])
})

it('works without a state for what the same account began, with its verifier', async () => {
  await begin()
  expect((await finish({ code: 'c-2' })).statusCode).toBe(200)
  expect(exchanged()).toMatchObject([{ code: 'c-2', codeVerifier: expect.stringMatching(/^[\w-]{43}$/) }])
})

it('tells what the provider refused, and asks it nothing', async () => {
  const state = (await begin()).searchParams.get('state')
  const query = { error: 'invalid_scope', error_description: 'The scope read is not enabled' }
  const answer = await finish({ state, query })
  expect(answer.json()).toMatchObject({
    code: 'provider_refused',
    message: 'Acme refused the sign-in: The scope read is not enabled',
  })
  expect(exchanged()).toEqual([])
  expect((await finish({ code: 'c', state })).statusCode).toBe(400)
})
