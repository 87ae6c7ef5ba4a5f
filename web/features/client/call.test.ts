import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { login } from '@groundswell/contract/accounts.ts'
import { listDeliveries } from '@groundswell/contract/deliveries.ts'
import { previewImport } from '@groundswell/contract/feedback.ts'
import { deleteInsight, listInsights } from '@groundswell/contract/insights.ts'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { endFirstLook } from '../../ui/first-look.ts'
import { call } from './call.ts'
import { callUnlessSame } from './call-unless-same.ts'

type Seen = { method?: string; url?: string; headers: IncomingMessage['headers']; body: string }

let server: Server
let answer: { status: number; body: unknown; etag?: string } = { status: 200, body: [] }
let seen: Seen
const stored = new Map<string, string>()
const assign = vi.fn<(address: string) => void>()

beforeAll(async () => {
  server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { method, url, headers } = request
      seen = { method, url, headers, body: Buffer.concat(parts).toString() }
      response.writeHead(answer.status, {
        'content-type': 'application/json',
        ...(answer.etag ? { etag: answer.etag, 'access-control-expose-headers': 'etag' } : {}),
      })
      response.end(answer.body === undefined ? '' : JSON.stringify(answer.body))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  vi.stubEnv('VITE_API_HOST', `http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
  vi.stubGlobal('document', { cookie: 'a=1; XSRF-TOKEN=x%20y' })
  vi.stubGlobal('location', { assign })
})

afterAll(() => {
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  server.closeAllConnections()
  server.close()
})

beforeEach(() => {
  stored.clear()
  assign.mockClear()
  answer = { status: 200, body: [] }
})

test('every call carries the bearer, the tunnel header and the XSRF cookie', async () => {
  stored.set('token', 'abc')
  await call(listInsights, {})
  expect(seen.url).toBe('/api/insights/get-all')
  expect(seen.headers).toMatchObject({
    authorization: 'Bearer abc',
    'ngrok-skip-browser-warning': 'true',
    'x-xsrf-token': 'x y',
  })
  expect(seen.headers['content-type']).toBeUndefined()
  expect(seen.headers['if-none-match']).toBeUndefined()
})

test('without a token there is no bearer', async () => {
  answer = { status: 200, body: { token: 't', is_new_user: false } }
  await call(login, { body: { email: 'a@b.c', password: 'secret' } })
  expect(seen.headers.authorization).toBeUndefined()
  expect(seen.headers['content-type']).toBe('application/json')
  expect(JSON.parse(seen.body)).toEqual({ email: 'a@b.c', password: 'secret' })
})

test('parameters and query are put into the address, without undefined ones', async () => {
  answer = { status: 204, body: undefined }
  await call(deleteInsight, { params: { issue_number: 42 } })
  expect([seen.method, seen.url]).toEqual(['DELETE', '/api/insights/42'])
  await call(listDeliveries, { query: { destination: 'a b', cursor: undefined } })
  expect(seen.url).toBe('/api/deliveries?destination=a+b')
})

test('bytes are uploaded unchanged', async () => {
  answer = { status: 400, body: { code: 'invalid_input', message: 'No', fields: { body: 'empty' } } }
  const sent = call(previewImport, { query: { name: 'ä.csv' }, raw: new Blob(['a,b\n']) })
  await expect(sent).rejects.toMatchObject({ status: 400, code: 'invalid_input', fields: { body: 'empty' } })
  expect(seen.body).toBe('a,b\n')
  expect(seen.headers['content-type']).toBe('application/octet-stream')
  expect(seen.url).toBe('/api/imports/preview?name=%C3%A4.csv')
})

test('a reply with missing fields is used as it is, and logged once the first screen is usable', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  answer = { status: 200, body: [{ issue_number: 1, issue_name: 'x', status: 'open' }] }
  expect(await call(listInsights, {})).toEqual([{ issue_number: 1, issue_name: 'x', status: 'open' }])
  expect(warn).not.toHaveBeenCalled()
  endFirstLook()
  const said = [
    'listInsights: the answer differs from the contract',
    expect.arrayContaining(['0.summary: invalid_type', '0.status: invalid_value']),
  ]
  await vi.waitFor(() => expect(warn.mock.calls).toContainEqual(said), { timeout: 300_000 })
  warn.mockRestore()
})

test('a response with the same ETag is the previous one; another token or ETag gives a new one', async () => {
  stored.set('token', 'abc')
  answer = { status: 200, body: [], etag: '"1"' }
  const first = await callUnlessSame(listInsights, undefined)
  expect(await callUnlessSame(listInsights, first)).toBe(first)
  stored.set('token', 'of another person')
  const second = await callUnlessSame(listInsights, first)
  expect(second).not.toBe(first)
  answer = { status: 200, body: [], etag: '"2"' }
  expect(await callUnlessSame(listInsights, second)).not.toBe(second)
  answer = { status: 200, body: [] }
  const untagged = await callUnlessSame(listInsights, undefined)
  expect(await callUnlessSame(listInsights, untagged)).not.toBe(untagged)
})

test('of a long list the first entries are compared, and all are used', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const whole = { issue_name: '', summary: '', status: 'created', last_updated: '', evidence: [], categories: [] }
  const list = Array.from({ length: 300 }, (_, place) => ({ ...whole, issue_number: place + 1, more: true }))
  answer = { status: 200, body: [...list, {}] }
  expect(await call(listInsights, {})).toHaveLength(301)
  answer = { status: 200, body: [{}, ...list] }
  expect(await call(listInsights, {})).toHaveLength(301)
  // Replies are compared in the order of arrival: nothing is logged about the first.
  await vi.waitFor(() => expect(warn).toHaveBeenCalledOnce(), { timeout: 300_000 })
  expect(warn.mock.calls[0]?.[1]).toContain('0.issue_number: invalid_type')
  warn.mockRestore()
})

test('a refusal of our server keeps its code and fields; another body does not', async () => {
  answer = { status: 409, body: { code: 'conflict', message: 'Taken', fields: { name: 'taken', odd: 3 } } }
  await expect(call(listInsights, {})).rejects.toMatchObject({
    code: 'conflict',
    message: 'Taken',
    fields: { name: 'taken' },
  })
  for (const body of [{ code: 'toString', message: 'No' }, { code: 'conflict' }, ['conflict'], 'conflict', null]) {
    answer = { status: 409, body }
    await expect(call(listInsights, {})).rejects.toMatchObject({ status: 409, code: undefined, fields: {} })
  }
})

test('a 401 removes the token and leads to /login', async () => {
  stored.set('token', 'old')
  answer = { status: 401, body: { code: 'unauthorized', message: 'Sign in' } }
  await expect(call(listInsights, {})).rejects.toMatchObject({ status: 401, code: 'unauthorized' })
  expect(stored.has('token')).toBe(false)
  expect(assign.mock.calls).toEqual([['/login']])
})

test('a 401 to a login removes the token but reloads nothing', async () => {
  stored.set('token', 'old')
  answer = { status: 401, body: { detail: 'another server' } }
  await expect(call(login, { body: { email: 'a@b.c', password: 'x' } })).rejects.toMatchObject({ status: 401 })
  expect(stored.has('token')).toBe(false)
  expect(assign).not.toHaveBeenCalled()
})

test('a late 401 for an old token does not remove a newer one', async () => {
  stored.set('token', 'old')
  answer = { status: 401, body: {} }
  const late = call(listInsights, {})
  stored.set('token', 'new')
  await expect(late).rejects.toMatchObject({ status: 401 })
  expect(stored.get('token')).toBe('new')
  expect(assign).not.toHaveBeenCalled()
})

test('another server’s error keeps its message, and an unreachable server is reported', async () => {
  answer = { status: 503, body: { message: 'Back soon' } }
  await expect(call(listInsights, {})).rejects.toMatchObject({ status: 503, message: 'Back soon', code: undefined })
  vi.stubEnv('VITE_API_HOST', 'http://127.0.0.1:9')
  await expect(call(listInsights, {})).rejects.toMatchObject({ status: 0, message: 'The server cannot be reached.' })
})
