import type { Route } from '@groundswell/contract/route.ts'
import { routes } from '@groundswell/contract/routes.ts'
import type { LightMyRequestResponse } from 'fastify'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../config/config.ts'
import { silentLog } from '../log/log.ts'
import { proves } from '../proves.ts'
import { duringTests } from '../testing.ts'
import { createHttp } from './create.ts'
import type { Caller, Handler } from './handle.ts'
import { notModified, PreparedReply, preparedJson } from './prepared-reply.ts'

const caller = (accountId: string, workspaceId: string, isAdmin = true): Caller => ({
  accountId,
  workspaceId,
  role: 'owner',
  isAdmin,
  name: 'A',
  email: 'a@example.com',
  session: { id: accountId, aal: 'aal1', isFirst: false, needsSecondFactor: false },
})

const callers: Record<string, Caller> = {
  ann: caller('a', 'workspace-of-ann'),
  'ann-in-another-tab': caller('a', 'workspace-of-ann'),
  'a-colleague': caller('c', 'workspace-of-ann'),
  'ann-no-admin': caller('a', 'workspace-of-ann', false),
  bo: caller('b', 'workspace-of-bo'),
  'ann-elsewhere': caller('a', 'workspace-of-bo'),
}

/** Every call of the contract, answered in the way that leaks most easily: one version for all callers. */
const handlers: Handler[] = routes.map((route) => ({
  route: { ...route, params: undefined, query: undefined, body: undefined } as Route,
  answer: async ({ clientHas }) => (clientHas('2-2967-1') ? notModified('2-2967-1') : preparedJson('[]', '2-2967-1')),
}))

const app = duringTests(() =>
  createHttp(
    { config: { ...readConfig({}), allowedOrigins: ['https://app.example.com'] }, log: silentLog() },
    { handlers, authenticate: async (token) => callers[token] ?? null, webFolder: '/nowhere' },
  ),
)

function ask(route: Route, token: string | null, headers: Record<string, string> = {}) {
  const url = route.path.replaceAll(/\{\w+\}/g, '1')
  const bearer = token === null ? {} : { authorization: `Bearer ${token}` }
  return app.inject({ method: route.method, url, headers: { ...bearer, ...headers } })
}

function variesBy(answer: LightMyRequestResponse): string[] {
  return String(answer.headers.vary)
    .split(',')
    .map((name) => name.trim().toLowerCase())
}

const authenticated = routes.filter(({ access }) => access !== 'public')
const others = Object.keys(callers).filter((token) => !token.startsWith('ann') || token === 'ann-elsewhere')

describe('every authenticated call', () => {
  it.each(authenticated.map((route) => [route.name, route] as const))(
    '%s confirms what a browser stored to the one it was stored for, and to nobody else',
    async (_, route) => {
      const first = await ask(route, 'ann')
      const tag = { 'if-none-match': String(first.headers.etag) }
      expect(first.statusCode).toBe(200)
      expect((await ask(route, 'ann-in-another-tab', tag)).statusCode).toBe(304)
      for (const token of others) {
        const answer = await ask(route, token, tag)
        expect([token, answer.statusCode, answer.headers.etag === first.headers.etag]).toEqual([token, 200, false])
      }
      expect((await ask(route, 'ann-no-admin', tag)).statusCode).toBe(route.access === 'admin' ? 403 : 200)
      expect((await ask(route, null, tag)).statusCode).toBe(401)
    },
  )

  it.each(routes.map((route) => [route.name, route] as const))(
    '%s says that its reply is for one caller, whatever the reply is',
    async (_, route) => {
      proves('14.2.2')
      const first = await ask(route, 'ann', { origin: 'https://app.example.com' })
      const again = await ask(route, 'ann', { 'if-none-match': String(first.headers.etag) })
      for (const answer of [first, again, await ask(route, null), await ask(route, 'nobody')]) {
        expect(variesBy(answer)).toContain('authorization')
        expect(String(answer.headers['cache-control'])).toMatch(/^(private, no-cache|no-store)$/)
      }
      expect(variesBy(first)).toContain('origin')
    },
  )
})

it.each(['ETag', 'vary', 'Cache-Control'])('a feature cannot decide who may store a reply: %s', (name) => {
  expect(() => new PreparedReply(200, { [name]: 'x' }, '[]')).toThrow('set by the platform')
})

it('an unknown call varies by who asks too', async () => {
  const answer = await app.inject({ url: '/api/nothing' })
  expect([answer.statusCode, variesBy(answer)]).toEqual([404, ['origin', 'authorization', 'accept-encoding']])
})
