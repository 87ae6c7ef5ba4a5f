import { connect, type Socket } from 'node:net'
import { route } from '@groundswell/contract/route.ts'
import { routes } from '@groundswell/contract/routes.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import * as z from 'zod/mini'
import { authenticate } from './auth/index.ts'
import { handle } from './platform/http/handle.ts'
import { type TestApp, type TestPerson, testApp } from './platform/http/testing.ts'
import { handlers, mounts } from './wiring.ts'

const sendAway = route({
  name: 'sendAway',
  summary: 'Reads a stream and reports its progress to the test',
  method: 'POST',
  path: '/api/send-away',
  access: 'member',
  raw: true,
  reply: z.object({ bytes: z.int() }),
  errors: [],
})

let onRead: (bytes: number) => void = () => undefined
const sockets: Socket[] = []
/** Every route that the server has, as `METHOD /path`. */
const all: string[] = []

async function start(bodyTime: { totalMs: number; idleMs: number; windowMs: number; bytesPerSecond: number }) {
  const test = await testApp((services) => ({
    handlers: [
      ...handlers(services),
      handle(sendAway, async ({ raw }) => {
        let bytes = 0
        for await (const chunk of raw) onRead((bytes += chunk.length))
        return { bytes }
      }),
    ],
    mounts: mounts(services, handlers(services)),
    authenticate: authenticate(services),
    bodyTime,
    onRoute: ({ method, url }) => {
      for (const one of [method].flat()) all.push(`${one} ${url.replaceAll(/:\w+|\*/g, '1')}`)
    },
  }))
  const address = new URL(await test.app.listen({ port: 0, host: '127.0.0.1' }))
  return { test, port: Number(address.port), person: await test.person('ann') }
}

/** Begins a request whose body is longer than what is sent. */
function begin(port: number, method: string, path: string, headers: readonly string[] = []): Socket {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  const type = headers.some((line) => line.startsWith('content-type')) ? [] : ['content-type: application/json']
  const head = [`${method} ${path} HTTP/1.1`, 'host: x', 'content-length: 1000000', ...type, ...headers]
  socket.write(`${head.join('\r\n')}\r\n\r\n{"name"`)
  return socket
}

/** Everything that was sent in reply until the server ended the connection. */
async function untilCutOff(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.on('error', () => undefined)
  // Not `once`, which rejects when the server resets the connection.
  if (!socket.destroyed) await new Promise((resolve) => socket.once('close', resolve))
  return text
}

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

describe('a body that stops arriving', () => {
  let test: TestApp
  let port: number
  let ann: TestPerson

  beforeAll(async () => {
    const started = await start({ totalMs: 300, idleMs: 300, windowMs: 600_000, bytesPerSecond: 1 })
    ;({ test, port, person: ann } = started)
  })
  afterAll(() => test.cleanup())

  it('is cut off on every route, signed in or not', async () => {
    for (const { method, path } of routes) expect(all).toContain(`${method} ${path.replaceAll(/\{\w+\}/g, '1')}`)
    expect(all.filter((line) => line.includes(' /auth/v1/')).length).toBeGreaterThan(20)
    const places = [...all, 'POST /api/nothing', 'POST /', 'POST /api/%zz', 'POST /auth/v1/%zz', 'OPTIONS /api/live']
    for (const bearer of [[], [`authorization: Bearer ${ann.token}`]]) {
      const cut = places.map(async (line) => {
        const [method = '', path = ''] = line.split(' ')
        await untilCutOff(begin(port, method, path, bearer))
      })
      await Promise.all(cut)
    }
    expect((await test.call('GET', '/api/user/user-data', { as: ann })).statusCode).toBe(200)
  })

  it('is answered with 408 where nothing was answered yet: on a public call, an event and an upload', async () => {
    const bearer = `authorization: Bearer ${ann.token}`
    for (const [path, headers] of [
      ['/api/auth/login', []],
      ['/auth/v1/token?grant_type=password', []],
      ['/api/slack/events', ['content-type: application/octet-stream']],
      ['/api/imports?name=a.csv', [bearer, 'content-type: text/csv']],
    ] as const) {
      const text = await untilCutOff(begin(port, 'POST', path, headers))
      expect([path, text.split('\r\n')[0]]).toEqual([path, 'HTTP/1.1 408 Request Timeout'])
    }
  })
})

describe('an upload that makes progress', () => {
  const bytesAfter = (socket: Socket, cutOff: Promise<unknown>) => {
    const read = new Promise<number>((resolve) => {
      onRead = resolve
    })
    socket.write('x'.repeat(100))
    return Promise.race([read, cutOff.then(() => null)])
  }

  it('may take longer than any other body', async () => {
    const totalMs = 300
    const { test, port, person } = await start({ totalMs, idleMs: 600_000, windowMs: 600_000, bytesPerSecond: 1 })
    const bearer = [`authorization: Bearer ${person.token}`]
    // Time passes only when the test advances it: a slow machine must not use it up before the upload has begun.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const bounded = begin(port, 'POST', '/api/auth/login', bearer)
    const boundedEnd = untilCutOff(bounded)
    const socket = begin(port, 'POST', sendAway.path, bearer)
    const cutOff = untilCutOff(socket)
    for (let exchanges = 0; exchanges < 6; exchanges += 1) {
      expect(await bytesAfter(socket, cutOff)).not.toBeNull()
      await vi.advanceTimersByTimeAsync(totalMs / 2)
    }
    expect(await boundedEnd).toContain('408 Request Timeout')
    expect(socket.destroyed).toBe(false)
    vi.useRealTimers()
    socket.destroy()
    await test.cleanup()
  })

  it('is cut off when it brings less than it has to', async () => {
    const limits = { totalMs: 600_000, idleMs: 600_000, windowMs: 100, bytesPerSecond: 1e12 }
    const { test, port, person } = await start(limits)
    const socket = begin(port, 'POST', sendAway.path, [`authorization: Bearer ${person.token}`])
    const answer = untilCutOff(socket)
    while ((await bytesAfter(socket, answer)) !== null);
    expect(await answer).toContain('408 Request Timeout')
    await test.cleanup()
  })
})
