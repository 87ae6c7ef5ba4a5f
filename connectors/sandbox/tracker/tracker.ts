import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { TrackerFault, TrackerStandIn } from '../../kit/sample.ts'
import { serve } from '../server.ts'

type Comment = { id: string; text: string }
type Item = {
  id: string
  number: number
  title: string
  body: string
  key: string
  state: 'open' | 'closed'
  reason: string | null
  comments: Comment[]
  searchable: boolean
}
type Call = { method: string; path: string; query: URLSearchParams; body: Record<string, unknown> }

/** Further switches of this stand-in: a limit that refuses every request for so long (null: none), and the end of `revoked`. */
type Switches = { limit(seconds: number | null): void; restore(): void }

/** Answers are padded beyond what a ledger stores: a connector has to read all of one. */
const PADDING = 'x'.repeat(4096)
const AFTER_CREATION: ReadonlySet<TrackerFault> = new Set(['silence', 'reset', 'malformed'])

/**
 * A stand-in for a fictional tracker on loopback. Items are created, changed and listed over `/items`, by id or by the key that their creator
 * gave them; `DELETE` does not exist. Its faults are switched by tests.
 */
export async function startTracker(): Promise<TrackerStandIn & Switches> {
  const tracker = new FictionalTracker()
  const server = await serve(async (request, response) => {
    const body = await text(request)
    const url = new URL(request.url ?? '/', 'http://tracker')
    const call = {
      method: request.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      body: body === '' ? {} : (JSON.parse(body) as Record<string, unknown>),
    }
    tracker.handle(call, request.headers.authorization, response)
  })
  const { items, requests } = tracker
  return {
    baseUrl: server.url,
    settings: { project: [tracker.project] },
    secrets: { token: tracker.token },
    items: () =>
      items.map(({ id, state, title, body, key, comments }) => ({
        id,
        open: state === 'open',
        text: [title, body, key].join('\n'),
        comments: comments.map((comment) => comment.text),
      })),
    requests: () => requests,
    fault: (kind) => tracker.arm(kind),
    restore: () => tracker.restore(),
    limit: (seconds) => tracker.limit(seconds),
    lagSearch: (on) => tracker.lag(on),
    close: (id) => tracker.setState(id, 'closed', 'Done'),
    reopen: (id) => tracker.setState(id, 'open', null),
    delete: (id) => tracker.remove(id),
    move: (id) => tracker.remove(id),
    [Symbol.asyncDispose]: server.stop,
  }
}

class FictionalTracker {
  readonly token = `tracker-token-${randomUUID()}`
  readonly project = 'support'
  readonly items: Item[] = []
  readonly requests: { method: string; path: string }[] = []
  #revoked = false
  #lagging = false
  #next: TrackerFault | null = null
  #lastNumber = 0
  #limited: number | null = null

  arm(kind: TrackerFault): void {
    if (kind === 'revoked') this.#revoked = true
    else this.#next = kind
  }

  restore(): void {
    this.#revoked = false
  }

  limit(seconds: number | null): void {
    this.#limited = seconds
  }

  lag(on: boolean): void {
    this.#lagging = on
    if (!on) for (const item of this.items) item.searchable = true
  }

  setState(id: string, state: Item['state'], reason: string | null): void {
    const item = this.#item(id)
    if (!item) throw new Error(`there is no item ${id}`)
    Object.assign(item, { state, reason })
  }

  remove(id: string): void {
    const at = this.items.findIndex((item) => item.id === id)
    if (at < 0) throw new Error(`there is no item ${id}`)
    this.items.splice(at, 1)
  }

  handle(call: Call, authorization: string | undefined, response: ServerResponse): void {
    this.requests.push({ method: call.method, path: call.path })
    const reply = (status: number, body: unknown, headers: Record<string, string> = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
    if (this.#revoked || authorization !== `Bearer ${this.token}`) return void reply(401, { error: 'unauthorized' })
    const fault = this.#takeFault(call)
    const wait = this.#limited ?? (fault === '429' ? 30 : null)
    if (wait !== null) return void reply(429, { error: 'too many requests' }, { 'retry-after': String(wait) })
    if (fault === '500') return void reply(500, { error: 'broken' })
    if (fault === 'html')
      return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>')
    const { status, body } = this.#answer(call)
    if (fault === 'silence') return
    if (fault === 'reset') return void response.socket?.resetAndDestroy()
    if (fault === 'malformed') return void reply(status, { ok: true })
    reply(status, body)
  }

  #takeFault({ method, path }: Call): TrackerFault | null {
    const fault = this.#next
    if (!fault || (AFTER_CREATION.has(fault) && !(method === 'POST' && path === '/items'))) return null
    this.#next = null
    return fault
  }

  #answer({ method, path, query, body }: Call): { status: number; body: unknown } {
    const missing = { status: 404, body: { error: 'not found' } }
    if (method === 'GET' && path === '/project') return { status: 200, body: { name: this.project, may_write: true } }
    if (method === 'GET' && path === '/items')
      return { status: 200, body: { items: this.#list(query), padding: PADDING } }
    if (method === 'POST' && path === '/items') return { status: 201, body: this.#create(body) }
    const [, id = '', comments, commentId] = /^\/items\/([^/]+)(?:\/(comments)(?:\/([^/]+))?)?$/.exec(path) ?? []
    const item = this.#item(id)
    if (!item) return missing
    if (!comments && method === 'GET') return { status: 200, body: view(item) }
    if (!comments && method === 'PATCH') {
      const state = body['state'] === 'open' ? { state: 'open' as const, reason: null } : {}
      Object.assign(item, { title: body['title'], body: body['body'], ...state })
      return { status: 200, body: view(item) }
    }
    if (comments && method === 'POST') {
      const comment = { id: randomUUID(), text: String(body['text']) }
      item.comments.push(comment)
      return { status: 201, body: comment }
    }
    const comment = item.comments.find((one) => one.id === commentId)
    if (!comment || method !== 'PATCH') return missing
    comment.text = String(body['text'])
    return { status: 200, body: comment }
  }

  #create(body: Record<string, unknown>): unknown {
    this.#lastNumber += 1
    const item: Item = {
      id: randomUUID(),
      number: this.#lastNumber,
      title: String(body['title']),
      body: String(body['body']),
      key: String(body['key']),
      state: 'open',
      reason: null,
      comments: [],
      searchable: !this.#lagging,
    }
    this.items.push(item)
    return view(item)
  }

  #list(query: URLSearchParams): unknown[] {
    const key = query.get('key')
    const ids = query.get('ids')?.split(',') ?? []
    return this.items
      .filter((item) => (key === null ? ids.includes(item.id) : item.searchable && item.key === key))
      .map(view)
  }

  #item(id: string): Item | undefined {
    return this.items.find((item) => item.id === id)
  }
}

const view = ({ id, number, state, reason, comments }: Item) => ({
  id,
  number,
  url: `https://tracker.example.com/items/${number}`,
  state,
  reason,
  comments: comments.map((comment) => ({ id: comment.id })),
})
