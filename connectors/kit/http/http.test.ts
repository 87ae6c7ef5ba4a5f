import * as net from 'node:net'
import { proves } from '@groundswell/server/platform/proves.ts'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Rejected, Unavailable } from '../errors.ts'
import { failureFrom, namesTo, startServer } from '../testing.ts'
import { version } from '../version.ts'
import { createHttp } from './http.ts'

const http = createHttp({ guard: null, timeoutMs: 5000 })
afterEach(() => vi.unstubAllGlobals())

/** The failure of a request; asserts that it is one to retry, with a ledger entry. */
async function unavailable(promise: Promise<unknown>): Promise<Unavailable> {
  const error = await failureFrom(promise)
  expect(error).toBeInstanceOf(Unavailable)
  const failure = error as Unavailable
  expect(failure.kind).toBe('unavailable')
  expect(failure.ledger?.error).toBe(failure.message)
  expect(Number.isInteger(failure.ledger?.durationMs)).toBe(true)
  return failure
}

/** A server that writes these bytes on every connection. */
async function rawServer(
  write: (socket: net.Socket) => void,
): Promise<AsyncDisposable & { port: number; url: string }> {
  const sockets = new Set<net.Socket>()
  const server = net.createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('data', () => write(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as net.AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}/`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

describe('a request', () => {
  it('is sent once, unchanged, with our user agent', async () => {
    await using server = await startServer((_, response) => response.writeHead(201, { 'x-a': 'b' }).end('made'))
    const answer = await http.request({
      method: 'POST',
      url: `${server.url}/a?b=c`,
      headers: { 'Content-Type': 'application/json' },
      body: '{"ü":1}',
    })
    expect(answer).toMatchObject({ status: 201, body: 'made', truncated: false })
    expect(answer.headers['x-a']).toBe('b')
    expect(server.seen).toHaveLength(1)
    expect(server.seen[0]).toMatchObject({ method: 'POST', url: '/a?b=c', body: '{"ü":1}' })
    expect(server.seen[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': '8',
      'user-agent': `Groundswell/${version}`,
      'accept-encoding': 'identity',
    })
  })

  it('does not use fetch', async () => {
    await using server = await startServer()
    vi.stubGlobal('fetch', () => {
      throw new Error('fetch was called')
    })
    expect((await http.request({ method: 'GET', url: server.url })).status).toBe(200)
  })

  it.each([301, 302, 303, 307, 308])('returns a %i as it is', async (status) => {
    proves('15.3.2')
    await using server = await startServer((_, response) => response.writeHead(status, { location: '/else' }).end())
    expect((await http.request({ method: 'POST', url: server.url, body: 'x' })).status).toBe(status)
    expect(server.seen.map((request) => request.url)).toEqual(['/'])
  })

  it.each([
    ['file:///etc/passwd'],
    ['ftp://example.com/'],
    ['gopher://example.com/'],
    ['not an url'],
    ['http://'],
    ['http://user:pass@example.com/'],
    ['https://user@example.com/'],
    ['http://[fe80::1%25eth0]/'],
    ['http://256.1.1.1/'],
  ])('refuses the URL %s', async (url) => {
    proves('1.2.2')
    const error = await failureFrom(http.request({ method: 'GET', url }))
    expect(error).toBeInstanceOf(Rejected)
    expect((error as Rejected).message).not.toMatch(/pass@|user@|user:/)
  })

  it.each([
    ['x-a', 'b\r\nhost: evil'],
    ['x-a', 'b\nc'],
    ['x-a', 'ü\u0100'],
    ['x a', 'b'],
    ['x:a', 'b'],
    ['', 'b'],
    ['Host', 'evil'],
    ['Transfer-Encoding', 'chunked'],
    ['content-length', '0'],
    ['Connection', 'upgrade'],
    ['x-a', '\0'],
  ])('refuses the header %j: %j', async (name, value) => {
    proves('1.2.1')
    await using server = await startServer()
    const error = await failureFrom(http.request({ method: 'POST', url: server.url, headers: { [name]: value } }))
    expect(error).toBeInstanceOf(Rejected)
    expect(server.connections()).toBe(0)
  })
})

describe('a response', () => {
  it('is cut at maxBytes, between characters, without waiting for the rest', async () => {
    await using server = await startServer((_, response) => {
      response.write('é'.repeat(5000))
    })
    const cut = createHttp({ guard: null, maxBytes: 101, timeoutMs: 5000 })
    const answer = await cut.request({ method: 'GET', url: server.url })
    expect(answer).toMatchObject({ status: 200, truncated: true, body: 'é'.repeat(50) })
  })

  it('of exactly maxBytes is complete', async () => {
    await using server = await startServer((_, response) => response.end('x'.repeat(2048)))
    expect(await http.request({ method: 'GET', url: server.url })).toMatchObject({ truncated: false })
  })

  it('is not decompressed', async () => {
    await using server = await startServer((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('raw'),
    )
    expect((await http.request({ method: 'GET', url: server.url })).body).toBe('raw')
  })

  it('without a body or with several cookies is read', async () => {
    await using server = await startServer((_, response) =>
      response.writeHead(204, { 'set-cookie': ['a=1', 'b=2'] }).end(),
    )
    const answer = await http.request({ method: 'GET', url: server.url })
    expect(answer).toMatchObject({ status: 204, body: '' })
    expect(answer.headers['set-cookie']).toBe('a=1, b=2')
  })
})

describe('no complete response', () => {
  const soon = createHttp({ guard: null, timeoutMs: 2_500 })

  it('because it hangs', async () => {
    await using server = await startServer(() => {})
    const failure = await unavailable(soon.request({ method: 'POST', url: server.url, body: 'x' }))
    expect(failure.message).toBe('127.0.0.1 did not respond within 2.5 seconds')
    expect(failure.ledger).toMatchObject({ status: null, answer: null })
    expect(server.seen).toHaveLength(1)
  })

  it('because it hangs after the headers, or never ends', async () => {
    let drip: NodeJS.Timeout | undefined
    await using server = await startServer((_, response) => {
      response.writeHead(200).write('begin')
      drip = setInterval(() => response.write('.'), 20)
    })
    const failure = await unavailable(soon.request({ method: 'POST', url: server.url }))
    clearInterval(drip)
    expect(failure.message).toBe('127.0.0.1 did not finish its response within 2.5 seconds')
    expect(failure.ledger?.status).toBe(200)
    expect(failure.ledger?.answer).toMatch(/^begin/)
  })

  it('because of a reset, before or during it, after a single request', async () => {
    await using server = await startServer((request, response, socket) => {
      if (request.url === '/middle') response.writeHead(200, { 'content-length': '100' }).write('half')
      setImmediate(() => socket.resetAndDestroy())
    })
    const before = await unavailable(http.request({ method: 'POST', url: server.url, body: 'x' }))
    expect(before.message).toBe('127.0.0.1 closed the connection without an answer')
    expect(server.seen).toHaveLength(1)
    const middle = await unavailable(http.request({ method: 'POST', url: `${server.url}/middle`, body: 'x' }))
    expect(middle.message).toMatch(/closed the connection/)
    expect(server.seen).toHaveLength(2)
  })

  it('because the connection is closed before the announced length', async () => {
    await using server = await rawServer((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf'))
    const failure = await unavailable(http.request({ method: 'GET', url: server.url }))
    expect(failure.message).toBe('127.0.0.1 closed the connection in the middle of its response')
    expect(failure.ledger).toMatchObject({ status: 200, answer: 'half' })
  })

  it.each([
    ['no HTTP', 'hello\r\n\r\n', /not HTTP/],
    ['large headers', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`, /headers .* too large/],
    ['another protocol', 'HTTP/1.1 101 Other\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n', /not HTTP/],
    ['nothing', '', /without an answer/],
  ])('because it is %s', async (_, bytes, reason) => {
    await using server = await rawServer((socket) => socket.end(bytes))
    expect((await unavailable(http.request({ method: 'GET', url: server.url }))).message).toMatch(reason)
  })

  it('because nothing listens there', async () => {
    const server = await startServer()
    await server[Symbol.asyncDispose]()
    const failure = await unavailable(http.request({ method: 'GET', url: server.url }))
    expect(failure.message).toBe('127.0.0.1 refused the connection')
  })

  it('because the name is unknown', async () => {
    const unknown = createHttp({ guard: { allow: [] }, lookup: namesTo({}) })
    const failure = await unavailable(unknown.request({ method: 'GET', url: 'https://no.example.com/secret-path' }))
    expect(failure.message).toBe('The host name no.example.com is unknown (DNS)')
  })

  it('because the server has no TLS', async () => {
    await using server = await startServer()
    const failure = await unavailable(http.request({ method: 'GET', url: `https://127.0.0.1:${server.port}/` }))
    expect(failure.message).toMatch(/^The TLS connection to 127\.0\.0\.1 could not be verified/)
  })

  it('because it was aborted, before or after it started', async () => {
    await using server = await startServer(() => stop.abort())
    const stop = new AbortController()
    const failure = await unavailable(http.request({ method: 'POST', url: server.url, signal: stop.signal }))
    expect(failure.message).toMatch(/was aborted/)
    await unavailable(http.request({ method: 'POST', url: server.url, signal: AbortSignal.abort() }))
    expect(server.seen).toHaveLength(1)
  })

  it('keeps our token and NUL bytes out of the ledger', async () => {
    await using server = await rawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\nyou sent token-12345\0')
    })
    const headers = { authorization: 'Bearer token-12345' }
    const failure = await unavailable(soon.request({ method: 'GET', url: server.url, headers }))
    expect(failure.ledger?.answer).toBe('you sent •••\uFFFD')
  })
})
