import { once } from 'node:events'
import { connect } from 'node:net'
import { ContractError } from '@groundswell/contract/errors.ts'
import { route } from '@groundswell/contract/route.ts'
import type { FastifyInstance } from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { type Config, readConfig } from '../config/config.ts'
import { createLog, silentLog } from '../log/log.ts'
import { proves } from '../proves.ts'
import { createHttp, type HttpOptions } from './create.ts'
import { type Caller, type Handler, handle } from './handle.ts'
import { checkedJson, notModified, preparedJson } from './prepared-reply.ts'

const Thing = z.object({ id: z.int(), name: z.string() })

const putThing = route({
  name: 'putThing',
  summary: 'Keep a thing',
  method: 'POST',
  path: '/api/things/{id}',
  access: 'member',
  params: z.object({ id: z.coerce.number<string>().check(z.int(), z.gte(1)) }),
  query: z.object({ loud: z.optional(z.enum(['yes', 'no'])) }),
  body: z.object({ name: z.string().check(z.minLength(1)), parts: z.optional(z.array(z.object({ size: z.int() }))) }),
  reply: Thing,
  errors: ['invalid_input', 'conflict'],
})
const listThings = route({
  name: 'listThings',
  summary: 'All things',
  method: 'GET',
  path: '/api/things',
  access: 'public',
  reply: z.array(Thing),
  errors: [],
})
const ruleThings = route({
  name: 'ruleThings',
  summary: 'For admins',
  method: 'DELETE',
  path: '/api/things',
  access: 'admin',
  reply: z.object({ caller: z.string() }),
  errors: [],
})
const sendThings = route({
  name: 'sendThings',
  summary: 'A stream of things',
  method: 'POST',
  path: '/api/stream',
  access: 'public',
  raw: true,
  reply: z.object({ bytes: z.int() }),
  errors: ['payload_too_large'],
})

const session = { id: 's', aal: 'aal1' as const, isFirst: false, needsSecondFactor: false }

const callers: Record<string, Caller> = {
  plain: {
    accountId: 'a',
    workspaceId: 'w',
    role: 'owner',
    isAdmin: false,
    name: 'Ann',
    email: 'ann@example.com',
    session,
  },
  admin: {
    accountId: 'b',
    workspaceId: 'w',
    role: 'owner',
    isAdmin: true,
    name: 'Bo',
    email: 'bo@example.com',
    session,
  },
}

const handlers: Handler[] = [
  handle(putThing, async ({ params, body }) => {
    if (body.name === 'taken') throw new ContractError('conflict', 'There is one already')
    if (body.name === 'fault') throw new Error('the password is hunter2')
    if (body.name === 'misfit') return { id: 0.5, name: 'x' }
    return { id: params.id, name: body.name, secret: 'not in the contract' } as z.infer<typeof Thing>
  }),
  handle(listThings, async ({ clientHas }) => {
    if (clientHas('7')) return notModified('7')
    return preparedJson(checkedJson(listThings, [{ id: 1, name: 'one' }]), '7')
  }),
  handle(ruleThings, async ({ caller }) => ({ caller: caller.name })),
  handle(sendThings, async ({ raw }) => {
    let bytes = 0
    for await (const chunk of raw) bytes += chunk.length
    return { bytes }
  }),
]

const open: FastifyInstance[] = []

async function start(config: Partial<Config> = {}, options: Partial<HttpOptions> = {}, log = silentLog()) {
  const services = { config: { ...readConfig({}), ...config }, log }
  const authenticate = async (token: string) => callers[token] ?? null
  const app = await createHttp(services, { handlers, authenticate, webFolder: '/nowhere', ...options })
  open.push(app)
  return app
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((app) => app.close()))
})

const post = (payload: unknown, headers: Record<string, string> = {}, url = '/api/things/3') => ({
  method: 'POST' as const,
  url,
  headers: { authorization: 'Bearer plain', 'content-type': 'application/json', ...headers },
  payload: typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : JSON.stringify(payload),
})

describe('a call', () => {
  it('gets parsed input and returns what the contract names, no more', async () => {
    proves('15.3.1')
    const app = await start()
    const answer = await app.inject(post({ name: 'x', extra: 1 }))
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({ id: 3, name: 'x' })
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  })

  it.each([
    [
      'a field',
      { name: '', parts: [{ size: 1 }, { size: 'big' }] },
      '/api/things/0?loud=maybe',
      ['id', 'loud', 'name', 'parts.1.size'],
    ],
    ['no body', '', '/api/things/1', ['name']],
    ['NUL in a text', { name: 'a\0b' }, '/api/things/1', ['name']],
    ['half a character', '{"name":"\\ud800"}', '/api/things/1', ['name']],
    ['a text under a bad name', '{"name":"x"}', '/api/things/1?__proto__=%00', ['__proto__']],
    ['a bare null', 'null', '/api/things/1', ['body']],
  ])('names every fault of the input: %s', async (_, payload, url, fields) => {
    proves('2.2.1', '2.2.2')
    const answer = await (await start()).inject(post(payload, {}, url))
    expect(answer.statusCode).toBe(400)
    expect(answer.json().code).toBe('invalid_input')
    expect(Object.keys(answer.json().fields).sort()).toEqual(fields)
  })

  it.each([
    ['broken JSON', post('{"name":'), 400, 'invalid_input'],
    ['prototype pollution', post('{"__proto__":{"isAdmin":true},"name":"x"}'), 400, 'invalid_input'],
    ['bytes that are not UTF-8', post(Buffer.from([0x7b, 0xff, 0xfe])), 400, 'invalid_input'],
    ['endless nesting', post(`{"name":"x","deep":${'['.repeat(40_000)}${']'.repeat(40_000)}}`), 400, 'invalid_input'],
    ['another content type', post('name=x', { 'content-type': 'text/plain' }), 415, 'unsupported_media_type'],
    ['a body over 1 MiB', post({ name: 'x'.repeat(1024 * 1024) }), 413, 'payload_too_large'],
    ['no token', post({ name: 'x' }, { authorization: '' }), 401, 'unauthorized'],
    ['a token nobody has', post({ name: 'x' }, { authorization: 'Bearer nobody' }), 401, 'unauthorized'],
    [
      'no admin',
      { method: 'DELETE' as const, url: '/api/things', headers: { authorization: 'Bearer plain' } },
      403,
      'forbidden',
    ],
    ['a refusal by name', post({ name: 'taken' }), 409, 'conflict'],
    ['an unknown call', { method: 'GET' as const, url: '/api/nothing' }, 404, 'not_found'],
    ['an unknown call of the evals', { method: 'GET' as const, url: '/eval/nothing' }, 404, 'not_found'],
    ['another method', { method: 'PUT' as const, url: '/api/things' }, 405, 'method_not_allowed'],
    ['a broken address', { method: 'GET' as const, url: '/api/%zz' }, 400, 'invalid_input'],
  ])('is refused by name: %s', async (_, request, status, code) => {
    proves('1.5.2', '15.3.6')
    const answer = await (await start()).inject(request)
    expect([answer.statusCode, answer.json().code]).toEqual([status, code])
  })

  it.each(['fault', 'misfit'])('reveals no detail of a server error, but logs it: %s', async (name) => {
    proves('13.4.2', '16.3.4', '16.5.1')
    const lines: string[] = []
    const log = createLog({ destination: { write: (line: string) => lines.push(line) } })
    const answer = await (await start({}, {}, log)).inject(post({ name }))
    expect(answer.statusCode).toBe(500)
    expect(answer.json()).toEqual({ code: 'internal', message: 'Something went wrong' })
    const line = lines.find((one) => one.includes('"level":"error"'))
    expect(line).toContain(answer.headers['x-request-id'])
  })

  it('lets an admin in', async () => {
    const answer = await (await start()).inject({
      method: 'DELETE',
      url: '/api/things',
      headers: { authorization: 'Bearer admin' },
    })
    expect(answer.json()).toEqual({ caller: 'Bo' })
  })

  it('answers 304 to a client that already has it', async () => {
    const app = await start()
    const first = await app.inject({ url: '/api/things' })
    expect(first.headers.etag).toBe('"public-7"')
    expect(first.headers['cache-control']).toBe('private, no-cache')
    const asked = (tags: string) => app.inject({ url: '/api/things', headers: { 'if-none-match': tags } })
    const again = await asked('"public-6", W/"public-7"')
    expect([again.statusCode, again.body]).toEqual([304, ''])
    expect(again.headers).toMatchObject({ etag: '"public-7"', 'cache-control': 'private, no-cache' })
    expect((await asked('"public-8"')).statusCode).toBe(200)
  })

  it('keeps the query out of the log', async () => {
    const lines: string[] = []
    const app = await start({}, {}, createLog({ destination: { write: (line: string) => lines.push(line) } }))
    await app.inject({ url: '/api/things?token=abc123' })
    expect(lines.join()).toContain('/api/things')
    expect(lines.join()).not.toContain('abc123')
  })
})

describe('a streamed body', () => {
  it('arrives whatever its type is', async () => {
    const app = await start()
    for (const type of ['application/json', 'text/csv', undefined]) {
      const headers = type ? { 'content-type': type } : {}
      const answer = await app.inject({ method: 'POST', url: '/api/stream', headers, payload: Buffer.from('{broken') })
      expect(answer.json()).toEqual({ bytes: 7 })
    }
    expect((await app.inject({ method: 'POST', url: '/api/stream' })).json()).toEqual({ bytes: 0 })
  })

  it('is refused beyond its limit, with a length or without', async () => {
    proves('5.2.1')
    const app = await start({}, { rawLimit: 10 })
    const withLength = await app.inject({ method: 'POST', url: '/api/stream', payload: Buffer.alloc(11) })
    expect(withLength.json().code).toBe('payload_too_large')
    const address = await app.listen({ port: 0, host: '127.0.0.1' })
    const parts = ReadableStream.from([new Uint8Array(6), new Uint8Array(6)])
    const streamed = await fetch(`${address}/api/stream`, { method: 'POST', body: parts, duplex: 'half' })
    expect(streamed.status).toBe(413)
  })
})

describe('other origins', () => {
  const preflight = (origin: string) => ({
    method: 'OPTIONS' as const,
    url: '/api/things/1',
    headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
  })

  it('may call when they are allowed, and only then', async () => {
    proves('3.4.2')
    const app = await start({ allowedOrigins: ['https://app.example.com'] }, { callHeaders: ['X-Things-Since'] })
    const allowed = await app.inject(preflight('https://app.example.com'))
    expect(allowed.headers['access-control-allow-origin']).toBe('https://app.example.com')
    expect(String(allowed.headers['access-control-allow-headers']).toLowerCase()).toBe(
      'authorization, content-type, if-none-match, ngrok-skip-browser-warning, x-workspace, x-xsrf-token, apikey, x-client-info, x-supabase-api-version, x-things-since',
    )
    const other = await app.inject(preflight('https://evil.example.com'))
    expect(other.headers['access-control-allow-origin']).toBeUndefined()
  })

  it('cannot load any reply into their pages except by CORS', async () => {
    const app = await start({ allowedOrigins: ['https://app.example.com'] }, { callHeaders: ['X-Things-Since'] })
    const origin = 'https://app.example.com'
    for (const request of [
      { url: '/api/things', headers: { origin } },
      { url: '/api/nothing' },
      { url: '/api/openapi.json' },
      { url: '/api/reference' },
      { url: '/insights' },
      { url: '/api/%zz' },
      preflight(origin),
      post({ name: 'x' }, { origin }),
    ]) {
      const { headers } = await app.inject(request)
      expect([request.url, headers['cross-origin-resource-policy']]).toEqual([request.url, 'same-origin'])
    }
    const answer = await app.inject({ url: '/api/things', headers: { origin } })
    expect(answer.headers).toMatchObject({ 'access-control-allow-origin': origin })
    expect(answer.headers['access-control-expose-headers']).toContain('ETag')
    expect(answer.headers['access-control-expose-headers']).toContain('X-Things-Since')
  })

  it('see errors too', async () => {
    const app = await start({ allowedOrigins: ['https://app.example.com'] })
    const answer = await app.inject({ url: '/api/nothing', headers: { origin: 'https://app.example.com' } })
    expect(answer.headers['access-control-allow-origin']).toBe('https://app.example.com')
  })
})

describe('the server', () => {
  it('describes every call as OpenAPI 3.1', async () => {
    const answer = await (await start()).inject({ url: '/api/openapi.json' })
    const document = answer.json()
    expect(document.openapi).toBe('3.1.0')
    expect(document.paths['/api/auth/login'].post.responses['400'].description).toBe(
      'invalid_input, login_refused, email_unconfirmed',
    )
    expect(document.paths['/api/imports/{id}'].get.parameters[0]).toMatchObject({
      name: 'id',
      in: 'path',
      required: true,
    })
    expect(document.components.schemas.Error.properties.code.enum).toContain('unauthorized')
  })

  it('lets a running call end when it closes', async () => {
    const { promise: entered, resolve: enter } = Promise.withResolvers<void>()
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const slow = handle(listThings, async () => {
      enter()
      await released
      return [{ id: 1, name: 'late' }]
    })
    const app = await start({}, { handlers: [slow] })
    const address = await app.listen({ port: 0, host: '127.0.0.1' })
    const answer = fetch(`${address}/api/things`)
    await entered
    const closed = app.close()
    release()
    expect(await (await answer).json()).toEqual([{ id: 1, name: 'late' }])
    await closed
  })

  it('does not wait for a connection that never asked anything', async () => {
    const app = await start({}, { closeMs: 600_000 })
    const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
    const accepted = once(app.server, 'connection')
    const socket = connect(Number(port), '127.0.0.1')
    await accepted
    await app.close()
    expect(app.server.listening).toBe(false)
    socket.destroy()
  })

  it('ends a call that does not finish in time when it closes', async () => {
    const { promise: entered, resolve: enter } = Promise.withResolvers<void>()
    const stuck = handle(listThings, () => {
      enter()
      return new Promise(() => undefined)
    })
    const app = await start({}, { handlers: [stuck], closeMs: 50 })
    const answer = fetch(`${await app.listen({ port: 0, host: '127.0.0.1' })}/api/things`)
    await Promise.all([entered, expect(answer).rejects.toThrow('fetch failed'), entered.then(() => app.close())])
  })

  it('survives bytes that are no HTTP', async () => {
    const app = await start()
    const address = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
    const text = await new Promise<string>((resolve) => {
      const socket = connect(Number(address.port), '127.0.0.1', () => socket.end('\0\0nonsense\r\n\r\n'))
      let got = ''
      socket.on('data', (chunk) => {
        got += chunk
      })
      socket.on('close', () => resolve(got))
    })
    expect(text).toContain('400')
    expect((await fetch(new URL('/api/things', address))).status).toBe(200)
  })
})
