import { type OpenIdSandbox, startOpenId } from '@groundswell/connectors/sandbox/index.ts'
import type { Route } from '@groundswell/contract/route.ts'
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { inAccount } from '../../platform/db/tenant.ts'
import { queryAccounts } from '../../platform/db/testing.ts'
import { fuzzAnswers } from '../../platform/http/fuzz.ts'
import type { Services } from '../../platform/services.ts'
import { serviceToken } from '../keys/service-token.ts'
import { type IssuedSession, issueSession } from '../sessions/issue-session.ts'
import { type AuthServer, authServer } from '../testing.ts'
import type { AuthCall } from './auth-call.ts'
import { authCalls } from './calls.ts'

const person = { email: 'fuzz@example.com', password: 'correct horse', name: 'Fuzz' }
const calls = authCalls({ config: { authRedirectUrls: [] } } as unknown as Services)

/** Registers a test for each call of the protocol: this many hostile inputs, chosen by the seed if there is one; every reply in the protocol's format. */
export function fuzzProtocol(runs: number, seed?: number): void {
  let provider: OpenIdSandbox
  let server: AuthServer
  let service: string
  let session: IssuedSession
  let factorId: string

  beforeAll(async () => {
    provider = await startOpenId()
    const { url: issuer, clientId, clientSecret } = provider
    server = await authServer({ authAutoconfirm: true, google: { issuer, clientId, clientSecret } })
    const { services } = server
    await server.call('POST', '/api/auth/signup', { payload: person })
    service = await serviceToken(services, 24)
    session = await signIn()
    const enrolled = await server.call('POST', '/auth/v1/factors', {
      as: session.accessToken,
      payload: { factor_type: 'totp' },
    })
    factorId = enrolled.json().id
  })
  afterAll(async () => {
    await server.cleanup()
    await provider.stop()
  })

  /** The state of a started sign-in at the provider. */
  async function startedState(): Promise<string> {
    const answer = await server.call('GET', '/auth/v1/authorize?provider=google')
    return new URL(String(answer.headers.location)).searchParams.get('state') ?? ''
  }

  /** A new session of the person, whatever earlier inputs did to the previous one. */
  async function signIn(): Promise<IssuedSession> {
    const { services } = server
    const { rows } = await queryAccounts<{ id: string }>(
      services.db,
      'select id from account order by created_at limit 1',
    )
    const id = rows[0]?.id ?? ''
    const from = { address: '127.0.0.1', headers: {} }
    return inAccount(services.db.accounts, id, (tx) =>
      issueSession(services, tx, id, { methods: ['password'], request: from }),
    )
  }

  describe.each(calls.map((call) => [`${call.method} ${call.path}`, call] as const))('%s', (_name, call) => {
    it(`answers ${runs} hostile inputs with the protocol’s own errors`, async ({ task }) => {
      let answered = 0
      const known = {
        email: person.email,
        password: person.password,
        refresh_token: (await signIn()).refreshToken,
        id: factorId,
        grant_type: ['password', 'refresh_token', 'pkce'][(seed ?? runs) % 3] ?? '',
        redirect_to: 'http://localhost:3000/auth',
        provider: 'google',
        state: await startedState(),
        scope: 'local',
        friendly_name: 'phone',
      }
      const token = call.access === 'service' ? service : async () => (await signIn()).accessToken
      await fuzzAnswers(server.app, routeOf(call), { token, runs, seed, known }, (answer) => {
        answered += 1
        return faultOf(answer)
      })
      task.meta.inputs = answered
      expect(answered).toBeGreaterThanOrEqual(runs)
      expect((await server.call('GET', '/auth/v1/health')).statusCode).toBe(200)
    }, 3_600_000)
  })
}

/** A call as a route from which inputs can be generated. */
function routeOf({ method, path, params, query, body }: AuthCall): Route {
  return {
    name: path,
    summary: '',
    method,
    path: `/auth/v1${path.replaceAll(/:(\w+)/g, '{$1}')}` as `/${string}`,
    access: 'member',
    ...(params ? { params } : {}),
    ...(query ? { query } : {}),
    ...(body ? { body } : {}),
    reply: z.unknown(),
    errors: [],
  }
}

/** What is wrong with a reply; null when nothing is. */
function faultOf({ statusCode, headers, body }: LightMyRequestResponse): string | null {
  if (statusCode >= 500) return `${statusCode} ${body.slice(0, 300)}`
  if (statusCode === 204) return body === '' ? null : '204 with a body'
  if (statusCode === 302 || statusCode === 303) {
    return URL.canParse(String(headers.location)) ? null : `${statusCode} to ${headers.location}`
  }
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
  } catch {
    return `${statusCode} with a body that is not JSON: ${body.slice(0, 200)}`
  }
  if (statusCode < 300) return null
  const isError = z.object({ code: z.literal(statusCode), error_code: z.string(), msg: z.string() }).safeParse(parsed)
  if (!isError.success) return `${statusCode} with a body that is no error: ${body.slice(0, 200)}`
  return headers['x-sb-error-code'] === isError.data.error_code ? null : `${statusCode} without its code in the header`
}
