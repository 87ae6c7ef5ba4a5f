import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** How a call fails: with a status, or by a dropped connection before the reply. */
type Fault = number | 'drop'

/** One request as received. */
type Seen = {
  method: string
  path: string
  query: Record<string, string>
  headers: Record<string, string>
  body: unknown
}

export type Backend = (request: IncomingMessage, response: ServerResponse, body: Buffer) => void | Promise<void>

/** A real HTTP proxy in front of a backend: it records requests, and makes a call fail, wait or reply differently on demand. */
export type Front = {
  url: string
  /** The requests to a call such as `POST /api/auth/login`, oldest first. */
  seen(call: string): Seen[]
  /** Makes a call fail until `restore`. */
  fail(call: string, fault: Fault): void
  /** Answers a call with this reply until `restore`, instead of the backend. */
  answer(call: string, body: unknown, status?: number): void
  /** Delays the replies to a call until the returned function is called. */
  hold(call: string): () => void
  /** Passes all requests through again, held ones included, and clears the record. */
  restore(): void
  stop(): Promise<void>
}

export async function startFront(backend: Backend): Promise<Front> {
  let seen: Seen[] = []
  const faults = new Map<string, Fault>()
  const answers = new Map<string, { status: number; body: unknown }>()
  const held = new Map<string, PromiseWithResolvers<void>>()

  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = Buffer.concat(parts)
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://front')
    const call = `${request.method} ${pathname}`
    seen.push({
      method: request.method ?? '',
      path: pathname,
      query: Object.fromEntries(searchParams),
      headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
      body: readBody(body),
    })
    await held.get(call)?.promise
    const fault = faults.get(call)
    const answer = answers.get(call)
    if (fault === 'drop') request.socket.destroy()
    else if (fault !== undefined) sendJson(response, fault, { error: 'made to fail' })
    else if (answer) sendJson(response, answer.status, answer.body)
    else await backend(request, response, body)
  }
  const server = createServer((request, response) => {
    take(request, response).catch(() => request.socket.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    seen: (call) => seen.filter(({ method, path }) => `${method} ${path}` === call),
    fail: (call, fault) => void faults.set(call, fault),
    answer: (call, body, status = 200) => void answers.set(call, { status, body }),
    hold(call) {
      const wait = Promise.withResolvers<void>()
      held.set(call, wait)
      return () => {
        held.delete(call)
        wait.resolve()
      }
    },
    restore() {
      seen = []
      faults.clear()
      answers.clear()
      for (const { resolve } of held.values()) resolve()
      held.clear()
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  response.end(body === undefined ? '' : JSON.stringify(body))
}

function readBody(body: Buffer): unknown {
  if (body.length === 0) return undefined
  try {
    return JSON.parse(body.toString())
  } catch {
    return body.toString()
  }
}
