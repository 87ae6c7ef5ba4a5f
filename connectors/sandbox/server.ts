import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Handle = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>

/**
 * Serves a stand-in over HTTP, on any free port unless one is given. A request whose handling fails is cut off. Stopping closes all
 * connections.
 */
export async function serve(
  handle: Handle,
  { host = '127.0.0.1', port = 0 }: { host?: string | undefined; port?: number | undefined } = {},
): Promise<{ url: string; stop: () => Promise<void> }> {
  const server = createServer((request, response) => {
    Promise.try(handle, request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** `body` null: none. */
export type JsonReply = { status?: number; body: unknown; headers?: Readonly<Record<string, string>> }

/** Answers with JSON, and status 200 unless another one is given. */
export function sendJson(response: ServerResponse, { status = 200, body, headers = {} }: JsonReply): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
  response.end(body === null ? undefined : JSON.stringify(body))
}
