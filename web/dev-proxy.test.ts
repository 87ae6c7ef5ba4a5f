import { once } from 'node:events'
import { createServer as createHttpServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { routes } from '@groundswell/contract/routes.ts'
import { createServer, type ViteDevServer } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { devProxy } from './dev-proxy.ts'
import config from './vite.config.ts'

let api: Server
let dev: ViteDevServer
let origin: string

beforeAll(async () => {
  api = createHttpServer((request, response) => {
    response.end(`server: ${request.method} ${request.url}`)
  }).listen(0, '127.0.0.1')
  await once(api, 'listening')
  const target = `http://127.0.0.1:${(api.address() as AddressInfo).port}`
  dev = await createServer({
    root: import.meta.dirname,
    configFile: false,
    logLevel: 'silent',
    optimizeDeps: { noDiscovery: true },
    server: {
      host: '127.0.0.1',
      port: 0,
      hmr: false,
      watch: null,
      preTransformRequests: false,
      proxy: devProxy(target),
    },
  })
  await dev.listen()
  const address = dev.httpServer?.address() as AddressInfo
  origin = `http://127.0.0.1:${address.port}`
})
afterAll(async () => {
  await dev.close()
  api.close()
})

const get = async (path: string, method = 'GET') =>
  (await fetch(`${origin}${path}`, { method, headers: { accept: 'text/html' } })).text()

test('every call of the contract is proxied', async () => {
  for (const { path, method } of routes) {
    const address = path.replaceAll(/\{\w+\}/g, '1')
    expect(await get(address, method)).toBe(`server: ${method} ${address}`)
  }
  expect(await get('/eval/get_eval?filename=a.json')).toBe('server: GET /eval/get_eval?filename=a.json')
  expect(await get('/auth/v1/user')).toBe('server: GET /auth/v1/user')
})

test('screens are not, even with paths similar to calls', async () => {
  for (const path of [
    '/',
    '/eval',
    '/eval?eval=a.json',
    '/comparisons',
    '/auth',
    '/auth/auth-code-error',
    '/insights',
  ]) {
    expect(await get(path)).toContain('<div id="root">')
  }
  expect(await get('/api/auth/oauth-callback')).toContain('<div id="root">')
})

test('the web app is served with the proxy', () => {
  expect(Object.keys((config as { server: { proxy: object } }).server.proxy)).toEqual(Object.keys(devProxy('')))
})
