import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { route } from '@groundswell/contract/route.ts'
import type { FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { type Config, readConfig } from '../config/config.ts'
import { createLog } from '../log/log.ts'
import { proves } from '../proves.ts'
import { createHttp } from './create.ts'
import { type Caller, handle } from './handle.ts'

const Reply = z.object({ name: z.string() })
const findThing = route({
  name: 'findThing',
  summary: 'One thing',
  method: 'GET',
  path: '/api/thing',
  access: 'member',
  query: z.object({ name: z.string() }),
  reply: Reply,
  errors: ['invalid_input'],
})
const ruleThing = route({
  name: 'ruleThing',
  summary: 'For admins',
  method: 'POST',
  path: '/api/thing/rule',
  access: 'admin',
  reply: Reply,
  errors: [],
})

const session = { id: 's', aal: 'aal1' as const, isFirst: false, needsSecondFactor: false }
const ann: Caller = {
  accountId: 'a',
  workspaceId: 'w',
  role: 'owner',
  isAdmin: false,
  name: 'Ann',
  email: 'ann@example.com',
  session,
}
const authorization = 'Bearer ann'

const open: FastifyInstance[] = []
let webFolder: string

beforeAll(async () => {
  webFolder = await mkdtemp(join(tmpdir(), 'groundswell-web-'))
  await writeFile(join(webFolder, 'index.html'), '<script nonce="__CSP_NONCE__"></script>')
  await writeFile(join(webFolder, 'robots.txt'), 'User-agent: *')
})
afterEach(() => Promise.all(open.splice(0).map((app) => app.close())))
afterAll(() => rm(webFolder, { recursive: true }))

async function start(config: Partial<Config> = {}) {
  const lines: Record<string, unknown>[] = []
  const log = createLog({ destination: { write: (line: string) => lines.push(JSON.parse(line)) } })
  const handlers = [
    handle(findThing, async ({ query }) => ({ name: query.name })),
    handle(ruleThing, async ({ caller }) => ({ name: caller.name })),
  ]
  const authenticate = async (token: string) => (token === 'ann' ? ann : null)
  const services = { config: { ...readConfig({}), ...config }, log }
  const app = await createHttp(services, { handlers, authenticate, webFolder })
  open.push(app)
  return { app, lines }
}

/** A reply of each kind: successful and refused calls, the document, the page, a file, and an unknown path. */
const kinds = [
  { url: '/api/thing?name=x', headers: { authorization } },
  { url: '/api/thing?name=x' },
  { url: '/api/nothing' },
  { url: '/api/%zz' },
  { url: '/api/openapi.json' },
  { url: '/insights' },
  { url: '/robots.txt' },
  { url: '/assets/gone.js' },
  { method: 'POST' as const, url: '/insights' },
]

describe('every reply', () => {
  it.each(kinds)(
    '$url keeps to its own context: no sniffing, no frames, no foreign content, no referrer',
    async (kind) => {
      proves('3.2.1', '3.4.3', '3.4.4', '3.4.5', '3.4.6')
      const { headers } = await (await start()).app.inject(kind)
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'same-origin' })
      const policy = String(headers['content-security-policy']).split('; ')
      expect(policy).toEqual(
        expect.arrayContaining([
          "default-src 'none'",
          "object-src 'none'",
          "base-uri 'none'",
          "frame-ancestors 'none'",
        ]),
      )
      expect(policy.join()).not.toContain('unsafe')
    },
  )

  it.each(kinds)('$url names its type and, of text, its character set', async (kind) => {
    proves('4.1.1')
    const { headers } = await (await start()).app.inject(kind)
    expect(headers['content-type']).toMatch(/^(application\/json|text\/(html|plain)); charset=utf-8$/)
  })

  it('tells browsers to stay with https for a year where PUBLIC_URL has it', async () => {
    const over = async (publicUrl: string) =>
      (await (await start({ publicUrl })).app.inject({ url: '/' })).headers['strict-transport-security']
    expect(await over('https://us.example')).toBe('max-age=31536000')
    expect(await over('http://us.example')).toBeUndefined()
  })
})

describe('a request', () => {
  it('by TRACE, or for a folder, gets nothing', async () => {
    proves('13.4.3', '13.4.4')
    const { app } = await start()
    for (const url of ['/', '/api/thing', '/insights']) {
      const answer = await app.inject({ method: 'TRACE' as 'GET', url, headers: { 'x-mine': 'echo' } })
      expect([answer.statusCode, answer.body.includes('echo')]).toEqual([405, false])
    }
    expect((await app.inject({ url: '/assets/' })).statusCode).toBe(404)
  })

  it('that gives a parameter twice is refused', async () => {
    proves('15.3.7')
    const { app } = await start()
    const answer = await app.inject({ url: '/api/thing?name=x&name=y', headers: { authorization } })
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'invalid_input'])
    const other = await app.inject({ method: 'GET', url: '/api/thing', headers: { authorization, name: 'x' } })
    expect(other.statusCode).toBe(400)
  })

  it.each([
    'Content-Length: 5\r\nTransfer-Encoding: chunked',
    'Content-Length: 5\r\nContent-Length: 6',
    'Transfer-Encoding: chunked, identity',
    'Content-Length: +5',
  ])('whose length can be read in two ways is refused, and its connection ends: %j', async (length) => {
    proves('4.2.1')
    const { app } = await start()
    const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
    const { promise, resolve } = Promise.withResolvers<string>()
    let got = ''
    const socket = connect(Number(port), '127.0.0.1', () =>
      socket.write(
        `POST /api/thing HTTP/1.1\r\nHost: x\r\n${length}\r\n\r\n0\r\n\r\nGET /robots.txt HTTP/1.1\r\nHost: x\r\n\r\n`,
      ),
    )
    socket.on('data', (chunk) => {
      got += chunk
    })
    socket.on('close', () => resolve(got))
    expect(await promise).toMatch(/^HTTP\/1\.1 400 /)
    expect(got).not.toContain('User-agent')
  })
})

describe('a refusal', () => {
  const ask = async (config: Partial<Config>, forwarded: string) => {
    const { app, lines } = await start(config)
    const headers = { authorization, 'x-forwarded-for': forwarded }
    await app.inject({ method: 'POST', url: '/api/thing/rule', headers, remoteAddress: '203.0.113.1' })
    return lines.find(({ msg }) => msg === 'refused')
  }

  it('for want of rights is in the log: who, what, when and from where', async () => {
    expect(await ask({}, '')).toMatchObject({
      level: 'warn',
      time: expect.stringMatching(/Z$/),
      id: expect.any(String),
      call: 'ruleThing',
      code: 'forbidden',
      accountId: 'a',
      workspaceId: 'w',
      address: '203.0.113.1',
    })
  })

  it('knows the client’s address from trusted proxies only, whatever the client claims', async () => {
    proves('4.1.3', '15.3.4')
    expect((await ask({ trustProxy: false }, '198.51.100.9'))?.['address']).toBe('203.0.113.1')
    expect((await ask({ trustProxy: 1 }, '10.9.9.9, 198.51.100.9'))?.['address']).toBe('198.51.100.9')
  })
})
