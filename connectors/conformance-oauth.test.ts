import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { templateSource } from './_template-source/index.ts'
import type { Connector } from './connector.ts'
import { connectors } from './index.ts'
import { AppRefused } from './kit/errors.ts'
import type { AppRefusalSample } from './kit/sample.ts'
import { failureFrom, startServer, testContext } from './kit/testing.ts'

const signingIn = [...connectors, templateSource].filter(({ oauth }) => oauth !== undefined)
const renewing = signingIn.filter(({ refresh }) => refresh !== undefined)

const TENANT = '3b1f4c1e-9a53-4a52-9c06-0f3a3b8f1d02'
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

/** What the apps, sign-ins and connections of all providers consist of: each reads its own part. */
const APP = {
  client_id: 'client-of-the-app',
  client_secret: 'secret-of-the-app',
  tenant: TENANT,
  app_id: '1',
  slug: 'groundswell',
  private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
}
const SETTINGS = { subdomain: 'acme', region: 'us', tenant: TENANT, tenant_id: TENANT, installation_id: '42' }
const SECRETS = { access_token: 'held-access', bot_token: 'xoxe.held-bot', refresh_token: 'held-refresh' }
const RETURNED = {
  redirectUrl: 'https://feedback.example.com/integrations',
  code: 'code-of-the-sign-in',
  codeVerifier: 'v'.repeat(43),
  query: { admin_consent: 'True', tenant: TENANT, installation_id: '42' },
}
const HIDDEN = [...Object.values(SECRETS), APP.client_secret, APP.private_key, RETURNED.code, 'words of a proxy']

const FOREIGN = [
  ['the page of a proxy', 'text/html', '<html><title>words of a proxy</title></html>'],
  ['JSON of something else', 'application/json', '{"blocked":"words of a proxy"}'],
  ['an error of a gateway', 'application/json', '{"status":403,"error":"Forbidden","message":"words of a proxy"}'],
  ['nothing', 'text/plain', ''],
] as const
const STATUSES = [400, 401, 403, 404, 407]

/** A server that answers every request alike, and a context whose connection is there. */
async function answering(status: number, type: string, body: string) {
  const server = await startServer((_, response) => response.writeHead(status, { 'content-type': type }).end(body))
  const context = testContext({ baseUrl: server.url, settings: { ...SETTINGS }, secrets: { ...SECRETS } })
  return { server, context, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

function expectClean(error: unknown): void {
  const { message, stack } = error as Error
  for (const hidden of HIDDEN) expect([message, stack].join('\n')).not.toContain(hidden)
}

async function appRefusalOf({ manifest }: Connector): Promise<AppRefusalSample> {
  const loaded = (await import(new URL(`./${manifest.id}/testing.ts`, import.meta.url).href)) as {
    appRefusal?: AppRefusalSample
  }
  return loaded.appRefusal ?? { status: 401, body: { error: 'invalid_client', error_description: 'words of a proxy' } }
}

const named = (list: readonly Connector[]) => list.map((connector) => [connector.manifest.id, connector] as const)

it('covers every connector that signs in on the page of its provider', () => {
  expect(signingIn.length).toBeGreaterThan(10)
  expect(renewing.length).toBeGreaterThan(7)
})

describe.each(named(signingIn))('a sign-in at %s', (_, { oauth }) => {
  it.each(FOREIGN)('that is answered by %s is an outage', async (__, type, body) => {
    for (const status of STATUSES) {
      await using run = await answering(status, type, body)
      const error = await failureFrom(oauth?.exchange(run.context, APP, RETURNED) ?? Promise.resolve())
      expect([status, error]).toMatchObject([status, { kind: 'unavailable' }])
      expect(run.server.seen).toHaveLength(1)
      expectClean(error)
    }
  })
})

describe.each(named(renewing))('a renewal at %s', (_, connector) => {
  const { refresh } = connector

  it.each(FOREIGN)('that is answered by %s is an outage: the sign-in is not lost', async (__, type, body) => {
    for (const status of STATUSES) {
      await using run = await answering(status, type, body)
      const error = await failureFrom(refresh?.(run.context, APP) ?? Promise.resolve())
      expect([status, error]).toMatchObject([status, { kind: 'unavailable' }])
      expect(error).not.toBeInstanceOf(AppRefused)
      expect(run.server.seen).toHaveLength(1)
      expectClean(error)
    }
  })

  it('that does not accept the app asks for its correction, and nobody to connect again', async () => {
    const { status, body } = await appRefusalOf(connector)
    await using run = await answering(status, 'application/json', JSON.stringify(body))
    const error = await failureFrom(refresh?.(run.context, APP) ?? Promise.resolve())
    expect(error).toBeInstanceOf(AppRefused)
    expect(error).toMatchObject({ message: expect.stringMatching(/does not accept .+ of the app.*Correct/) })
    expect((error as Error).message).not.toMatch(/again/i)
    expect(run.server.seen).toHaveLength(1)
    expectClean(error)
  })
})
