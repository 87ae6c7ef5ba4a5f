import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { createClient as createClient250 } from 'supabase-js-2-50'
import { accountRoutes } from '../features/accounts/index.ts'
import type { Config } from '../platform/config/config.ts'
import { withoutWorkspace } from '../platform/db/tenant.ts'
import { type TestApp, testApp } from '../platform/http/testing.ts'
import type { Services } from '../platform/services.ts'
import { acceptStep, insertFactor } from './factors/store.ts'
import { authenticate, authProtocol } from './index.ts'

/** The official client in both supported versions. The older one is used through the newer one's types. */
export const clientVersions = [
  ['2.119.1', createClient],
  ['2.50.5', createClient250 as unknown as typeof createClient],
] as const

/** The account calls of the official client. */
export type AuthClient = SupabaseClient['auth']

/** A server with the account calls that listens on this machine. */
export type AuthServer = TestApp & {
  url: string
  /** A new client that is not signed in. */
  client(make: typeof createClient, options?: { flowType?: 'implicit' | 'pkce'; key?: string }): AuthClient
  /** Sends a plain HTTP request, without following redirects. */
  ask(
    method: string,
    path: string,
    more?: { body?: unknown; token?: string; headers?: Record<string, string> },
  ): Promise<Response>
}

/** Starts a server with the account calls over a fresh database. Limits are off, unless the settings set them. */
export async function authServer(config: Partial<Config> = {}): Promise<AuthServer> {
  const test = await testApp(
    (services) => ({
      handlers: accountRoutes(services),
      mounts: [authProtocol(services)],
      authenticate: authenticate(services),
    }),
    { authRateLimits: null, ...config },
  )
  await test.app.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${(test.app.server.address() as AddressInfo).port}`
  return {
    ...test,
    url,
    client(make, { flowType = 'implicit', key = 'anon' } = {}) {
      const storage = new Map<string, string>()
      return make(url, key, {
        auth: {
          flowType,
          autoRefreshToken: false,
          detectSessionInUrl: false,
          storage: {
            getItem: (name) => storage.get(name) ?? null,
            setItem: (name, value) => void storage.set(name, value),
            removeItem: (name) => void storage.delete(name),
          },
        },
      }).auth
    },
    ask(method, path, { body, token, headers } = {}) {
      return fetch(`${url}${path}`, {
        method,
        redirect: 'manual',
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json;charset=UTF-8' }),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
    },
  }
}

/** Gives an account a verified second factor whose secret no key can open. */
export function insertVerifiedFactor({ db }: Pick<Services, 'db'>, accountId: string): Promise<void> {
  return withoutWorkspace(db.accounts, async (tx) => {
    const [id, at] = [randomUUID(), new Date()]
    await insertFactor(tx, { id, accountId, friendlyName: 'phone', sealedSecret: 's1.sealed.secret', at })
    await acceptStep(tx, id, 1, at)
  })
}
