import { readFileSync } from 'node:fs'
import type * as http from 'node:http'
import { serve } from '../server.ts'
import { eventsHtml, pageHtml } from './page.ts'
import { createInbox, type Received, verifyRequest } from './received.ts'

/**
 * How a response can be wrong: `hang` never responds, `reset` cuts the connection, `redirect` points elsewhere, `slow` starts a
 * response that never ends, `garbage` is not HTTP.
 */
export type Fault = '500' | '410' | '429' | 'hang' | 'reset' | 'redirect' | 'slow' | 'garbage'

type ReceiverOptions = {
  /** Read for every request; while it is undefined signatures are not verified. */
  secret?: () => string | undefined
  /** 0: any free one. */
  port?: number
  host?: string
}

export type Receiver = {
  /** The page that shows what arrived. */
  url: string
  /** Where webhooks are sent. */
  hookUrl: string
  /** Newest first, one entry per event however often it arrived. */
  received(): Received[]
  /** Requests to any path but the page's own, faults included. */
  requests(): number
  /** Responds to the next `times` webhooks with a fault. */
  fail(fault: Fault, times?: number): void
  stop(): Promise<void>
}

const MAX_BODY = 1024 * 1024
const asset = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
const CSP =
  "default-src 'none'; img-src data:; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'"

/** Starts a receiver of Standard Webhooks over real HTTP, with a page that shows what arrived. For the demo and tests. */
export async function startReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const { secret = () => undefined, port = 0, host = '127.0.0.1' } = options
  const inbox = createInbox()
  const faults: Fault[] = []
  let requests = 0
  const files: Record<string, { type: string; body: () => string }> = {
    '/': { type: 'text/html', body: () => pageHtml(inbox.list(), inbox.revision()) },
    '/receiver.css': { type: 'text/css', body: () => asset('./receiver.css') },
    '/receiver.js': { type: 'text/javascript', body: () => asset('./receiver.js') },
  }

  const hook = async (request: http.IncomingMessage, response: http.ServerResponse) => {
    const raw = await readBody(request)
    if (raw === null) return answer(response, 413, 'Too large')
    const verification = verifyRequest(flatHeaders(request), raw, secret())
    const fault = faults.shift()
    const good = verification.verified !== false && verification.payload !== null
    inbox.add(verification, good && fault === undefined, new Date())
    if (fault) return misbehave(fault, request, response)
    if (verification.verified === false) return answer(response, 401, verification.problem ?? '')
    answer(response, good ? 200 : 400, verification.problem ?? 'Thank you')
  }

  const handle = async (request: http.IncomingMessage, response: http.ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://receiver')
    const file = files[pathname]
    if (request.method === 'GET' && pathname === '/events') {
      const revision = inbox.revision()
      if (searchParams.get('since') === String(revision)) return answer(response, 204, '')
      response.setHeader('x-revision', String(revision))
      return answer(response, 200, eventsHtml(inbox.list()), 'text/html')
    }
    if (request.method === 'GET' && file) return answer(response, 200, file.body(), file.type)
    requests += 1
    if (request.method === 'POST' && pathname === '/hook') return await hook(request, response)
    answer(response, 404, 'Nothing here')
  }
  const { url, stop } = await serve(handle, { host, port })
  return {
    url,
    hookUrl: `${url}/hook`,
    received: () => inbox.list(),
    requests: () => requests,
    fail: (fault, times = 1) => faults.push(...Array.from({ length: times }, () => fault)),
    stop,
  }
}

function answer(response: http.ServerResponse, status: number, body: string, type = 'text/plain'): void {
  response.writeHead(status, {
    'content-type': `${type}; charset=utf-8`,
    'content-security-policy': CSP,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
  response.end(body)
}

function misbehave(fault: Fault, request: http.IncomingMessage, response: http.ServerResponse): void {
  switch (fault) {
    case '500':
      return answer(response, 500, 'Out of order')
    case '410':
      return answer(response, 410, 'Gone')
    case '429':
      response.setHeader('retry-after', '7')
      return answer(response, 429, 'Too many')
    case 'redirect':
      response.setHeader('location', '/elsewhere')
      return answer(response, 302, '')
    case 'reset':
      request.socket.resetAndDestroy()
      return
    case 'garbage':
      request.socket.end('this is not HTTP\r\n\r\n')
      return
    case 'slow':
      response.writeHead(200)
      response.write('It begins')
      return
    case 'hang':
  }
}

async function readBody(request: http.IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.byteLength
    if (size > MAX_BODY) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function flatHeaders(request: http.IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
}
