import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'

const dist = path.resolve(import.meta.dirname, '../web/dist')
const types: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' }
const calls = ['/api/', '/auth/v1/', '/eval/list', '/eval/get', '/comparison/']

export const OPAQUE_TOKEN = 'an opaque token of another server'

/** A third-party server: the web app as static files, sign-in by an opaque token, and only the basic calls. */
export type BareServer = { url: string; seen: string[]; stop: () => Promise<void> }

export async function startBareServer(): Promise<BareServer> {
  const seen: string[] = []
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://bare')
    const call = `${request.method} ${pathname}`
    const isCall = calls.some((prefix) => pathname.startsWith(prefix)) && pathname !== '/api/auth/oauth-callback'
    if (!isCall) {
      void sendFile(pathname).then(({ type, body }) => response.writeHead(200, { 'content-type': type }).end(body))
      return
    }
    seen.push(call)
    const signedIn = request.headers.authorization === `Bearer ${OPAQUE_TOKEN}`
    const [status, body] = answerTo(call, signedIn)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function answerTo(call: string, signedIn: boolean): [status: number, body: unknown] {
  if (call === 'POST /api/auth/login') return [200, { token: OPAQUE_TOKEN, is_new_user: false }]
  if (call === 'POST /api/auth/signup') return [200, { token: OPAQUE_TOKEN, is_new_user: true }]
  if (call === 'GET /api/public-config' || call.includes('/auth/v1/')) return [404, { detail: 'Not Found' }]
  if (!signedIn) return [401, { detail: 'Not authenticated' }]
  if (call === 'GET /api/insights/get-all') return [200, []]
  if (call !== 'GET /api/user/user-data') return [404, { detail: 'Not Found' }]
  const settings = { method: 'auto', min_inputs: 3, categories: [] }
  return [200, { name: 'Ann', email: 'ann@example.com', is_admin: false, settings }]
}

async function sendFile(pathname: string): Promise<{ type: string; body: Buffer }> {
  const type = types[path.extname(pathname)]
  const file = type === undefined ? 'index.html' : path.normalize(pathname)
  return { type: type ?? 'text/html', body: await readFile(path.join(dist, file)) }
}
