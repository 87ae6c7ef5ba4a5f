import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'

let server: Server
let status = 200
const stored = new Map<string, string>()
const assign = vi.fn<(address: string) => void>()
let onStorage: (event: { key: string; oldValue: string | null }) => void

beforeAll(async () => {
  server = createServer((_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  vi.stubEnv('VITE_API_HOST', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
  vi.stubGlobal('document', { cookie: '' })
  vi.stubGlobal('location', { assign })
  vi.stubGlobal('addEventListener', (_: string, listener: typeof onStorage) => {
    onStorage = listener
  })
  vi.spyOn(console, 'error').mockReturnValue()
  vi.spyOn(console, 'warn').mockReturnValue()
})

afterAll(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  server.closeAllConnections()
  server.close()
})

beforeEach(() => {
  vi.resetModules()
  stored.clear()
  assign.mockClear()
  stored.set('token', 'mine')
})

test('with a token that is refused nothing is shown until the browser is at the login', async () => {
  status = 401
  const { startSession, useSession } = await import('./session.ts')
  await startSession()
  expect(assign.mock.calls).toEqual([['/login']])
  expect(useSession.getState()).toMatchObject({ initializing: true, isAuthenticated: false })
  expect(stored.has('token')).toBe(false)
})

test('a sign-out in another tab meanwhile does not leave this one waiting', async () => {
  status = 401
  const { startSession, useSession } = await import('./session.ts')
  const started = startSession()
  stored.delete('token')
  onStorage({ key: 'token', oldValue: 'mine' })
  await started
  expect(assign).not.toHaveBeenCalled()
  expect(useSession.getState()).toMatchObject({ initializing: false, isAuthenticated: false })
})

test('a failing server signs nobody out', async () => {
  status = 500
  const { startSession, useSession } = await import('./session.ts')
  await startSession()
  expect(useSession.getState()).toMatchObject({ initializing: false, isAuthenticated: true })
  expect(stored.get('token')).toBe('mine')
})
