import * as http from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'
import type { ConnectorLog } from '../connector.ts'

type Seen = { method: string; url: string; headers: http.IncomingHttpHeaders; body: string }

export type Handler = (request: Seen, response: http.ServerResponse, socket: http.IncomingMessage['socket']) => void

export type TestServer = AsyncDisposable & {
  url: string
  port: number
  /** Requests that arrived completely. */
  seen: Seen[]
  /** Connections, with or without a request. */
  connections(): number
}

/** A real HTTP server on loopback for one test. */
export async function startServer(handler: Handler = (_, response) => response.end('ok')): Promise<TestServer> {
  const seen: Seen[] = []
  let connections = 0
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const whole = { method, url, headers, body: Buffer.concat(chunks).toString('utf8') }
      seen.push(whole)
      handler(whole, response, request.socket)
    })
  })
  server.on('connection', () => {
    connections += 1
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    seen,
    connections: () => connections,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** A resolver that knows these names only, each with all its addresses. */
export function namesTo(names: Record<string, string[]>): LookupFunction {
  return (hostname, options, callback) => {
    const addresses = names[hostname]
    if (!addresses) {
      callback(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }), '', 0)
      return
    }
    const all = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    if (options.all) callback(null, all)
    else callback(null, all[0]?.address ?? '', all[0]?.family ?? 4)
  }
}

/** A log that records its lines as text. */
export function recordingLog(): ConnectorLog & { lines: string[] } {
  const lines: string[] = []
  const keep = (fields: Record<string, unknown>, message: string) => lines.push(JSON.stringify({ ...fields, message }))
  return { lines, info: keep, warn: keep }
}

/** The reason a promise was rejected with; throws when it was fulfilled. */
export async function failureFrom(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('It did not fail')
}
