import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, vi } from 'vitest'

/**
 * During the tests of a file, the client calls a real server, which answers with the status and JSON of `answerTo`; `call` is such as `GET /api/views`.
 * Returns the local storage that the client has.
 */
export function browserOfFile(
  answerTo: (call: string, body: string) => { status: number; body: unknown },
): Map<string, string> {
  const stored = new Map<string, string>()
  let server: Server
  beforeAll(async () => {
    server = createServer((request, response) => {
      const parts: Buffer[] = []
      request.on('data', (part: Buffer) => parts.push(part))
      request.on('end', () => {
        const { status, body } = answerTo(`${request.method} ${request.url}`, Buffer.concat(parts).toString())
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    vi.stubEnv('VITE_API_HOST', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    vi.stubGlobal('document', { cookie: '' })
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
      removeItem: (key: string) => stored.delete(key),
    })
  })
  afterAll(() => {
    vi.unstubAllGlobals()
    vi.unstubAllEnvs()
    server.closeAllConnections()
    server.close()
  })
  return stored
}
