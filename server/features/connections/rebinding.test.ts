import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import { connectors } from '@groundswell/connectors/index.ts'
import { startServer, type TestServer as Target } from '@groundswell/connectors/kit/testing.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { withCaches } from '../../platform/caches.ts'
import { type TestServices, testServices } from '../../platform/http/testing.ts'
import { providerContext } from './context.ts'
import { guardedFetch, isRefusedHost } from './index.ts'

// A name that is public when it is checked, and private when a connection is made a moment later.

const NAME = 'rebound.example.com'
const PUBLIC = '93.184.216.34'
const PRIVATE = ['127.0.0.1', '169.254.169.254', '10.0.0.1', '::1', '::ffff:127.0.0.1']

let server: TestServices
let target: Target
let address: string

beforeAll(async () => {
  server = await testServices()
  target = await startServer()
})
afterAll(async () => {
  expect(target.connections()).toBe(0)
  await target[Symbol.asyncDispose]()
  await server.stop()
})
beforeEach(() => {
  address = PUBLIC
  const answer = () => ({ address, family: address.includes(':') ? 6 : 4 })
  vi.spyOn(dns.promises, 'lookup').mockImplementation((async () => [answer()]) as unknown as typeof dns.promises.lookup)
  const lookup = (_: string, options: { all?: boolean }, done: (...found: unknown[]) => void) =>
    options.all ? done(null, [answer()]) : done(null, address, answer().family)
  vi.spyOn(dns, 'lookup').mockImplementation(lookup as unknown as typeof dns.lookup)
  syncBuiltinESMExports()
})
afterEach(() => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
})

describe.each(PRIVATE)('a name that moves to %s after it was checked', (moved) => {
  const url = () => `http://${NAME}:${target.port}/hook`
  const check = async () => {
    expect(await isRefusedHost(server.services, url())).toBe(false)
    address = moved
  }

  it('is not connected to by single sign-on', async () => {
    await check()
    const asked = guardedFetch(server.services)(url(), { method: 'GET', headers: {} })
    await expect(asked).rejects.toThrow('private or reserved')
  })

  it('is not connected to by any source or destination', async () => {
    await check()
    for (const { manifest } of connectors) {
      const { http } = providerContext(server.services, manifest.id, { settings: {}, secrets: {} })
      const asked = http.request({ method: 'POST', url: url(), body: '{}' })
      await expect(asked, manifest.id).rejects.toThrow('private or reserved')
    }
  })
})

it('an address that redirects to such a name is not followed there', async () => {
  const redirecting = await startServer((_, response) => {
    response.writeHead(302, { location: `http://${NAME}:${target.port}/` }).end()
  })
  const config = { ...server.services.config, allowPrivateAddresses: ['127.0.0.1'] }
  const { caches } = withCaches({ ...server.services, config })
  const answer = await guardedFetch({ caches })(redirecting.url, { method: 'GET', headers: {} })
  expect(answer.status).toBe(302)
  await caches.dispose()
  await redirecting[Symbol.asyncDispose]()
})
