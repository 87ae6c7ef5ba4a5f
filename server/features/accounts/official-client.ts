import type { AddressInfo } from 'node:net'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { createClient as createOldClient } from 'supabase-js-2-50'
import type { Config } from '../../platform/config/config.ts'
import { type TestApp, testApp } from '../../platform/http/testing.ts'
import { accountRoutes, authenticate, authProtocol } from './index.ts'

type Auth = SupabaseClient['auth']

/** A server of a test's own that listens, over a fresh database. */
export type ListeningApp = TestApp & { url: string }

/** The versions of the official client that every call is tried with. */
export const clientVersions = ['2.50.5', '2.119.1'] as const
export type ClientVersion = (typeof clientVersions)[number]

/** Starts a server on a free port of this machine, which is its public address too. */
export async function listeningApp(config: Partial<Config> = {}): Promise<ListeningApp> {
  const test = await testApp(
    (services) => ({
      handlers: accountRoutes(services),
      mounts: [authProtocol(services)],
      authenticate: authenticate(services),
    }),
    config,
  )
  await test.app.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${(test.app.server.address() as AddressInfo).port}`
  test.services.config.publicUrl ??= url
  return { ...test, url }
}

/** A client as a browser has it, but for what it keeps: each one is another person. The older one has the same calls. */
export function officialClient(url: string, version: ClientVersion, flowType: 'implicit' | 'pkce' = 'implicit'): Auth {
  const kept = new Map<string, string>()
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
  const auth = { flowType, storage, autoRefreshToken: false, detectSessionInUrl: false, persistSession: true }
  const create = version === '2.50.5' ? (createOldClient as unknown as typeof createClient) : createClient
  return create(url, 'any-key-will-do', { auth }).auth
}
