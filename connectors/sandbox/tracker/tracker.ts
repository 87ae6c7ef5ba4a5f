import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { TrackerFault, TrackerStandIn } from '../../kit/sample.ts'
import { type JsonReply, sendJson, serve } from '../server.ts'
import { TrackerFaults } from '../tracker-faults.ts'

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

/**
 * Further switches of this stand-in: a limit that refuses every request for so long (null: none), the end of `revoked`, and the end of the
 * token, now or once a request of this method was answered, in whose place `POST /token` issues another one,
 * and whether comments may be written.
 */
type Switches = {
  limit(seconds: number | null): void
  restore(): void
  endToken(after?: 'GET'): void
  allowComments(on: boolean): void
}

/** Answers are padded beyond what a ledger stores: a connector has to read all of one. */
const PADDING = 'x'.repeat(4096)

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
    get secrets() {
      return { token: tracker.token }
    },
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
    allowComments: (on) => {
      tracker.mayComment = on
    },
    endToken: (after) => tracker.endToken(after),
    limit: (seconds) => tracker.limit(seconds),
    lagSearch: (on) => tracker.lag(on),
    retitle: (id, title) => tracker.retitle(id, title),
    close: (id) => tracker.setState(id, 'closed', 'Done'),
    decline: (id) => tracker.setState(id, 'closed', 'Declined'),
    reopen: (id) => tracker.setState(id, 'open', null),
    delete: (id) => tracker.remove(id),
    move: (id) => tracker.remove(id),
    [Symbol.asyncDispose]: server.stop,
  }
}

class FictionalTracker {
  token = newToken()
  readonly project = 'support'
  readonly items: Item[] = []
  readonly requests: { method: string; path: string }[] = []
  readonly #faults = new TrackerFaults({
    limit: () => limitReply(30),
    error: { status: 500, body: { error: 'broken' } },
    malformed: { status: 201, body: { ok: true } },
  })
  mayComment = true
  #revoked = false
  #endsAfter: 'GET' | null = null
  #lagging = false
  #lastNumber = 0
  #limited: number | null = null

  arm(kind: TrackerFault): void {
    if (kind === 'revoked') this.#revoked = true
    else this.#faults.arm(kind)
  }

  restore(): void {
    this.#revoked = false
  }

  endToken(after: 'GET' | null = null): void {
    if (after === null) this.token = newToken()
    else this.#endsAfter = after
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

  retitle(id: string, title: string): void {
    const item = this.#item(id)
    if (!item) throw new Error(`there is no item ${id}`)
    item.title = title
  }

  remove(id: string): void {
    const at = this.items.findIndex((item) => item.id === id)
    if (at < 0) throw new Error(`there is no item ${id}`)
    this.items.splice(at, 1)
  }

  handle(call: Call, authorization: string | undefined, response: ServerResponse): void {
    this.requests.push({ method: call.method, path: call.path })
    if (call.path === '/token') return sendJson(response, { status: 200, body: { token: this.token } })
    if (this.#revoked || authorization !== `Bearer ${this.token}`) {
      return sendJson(response, { status: 401, body: { error: 'unauthorized' } })
    }
    if (this.#limited !== null) return sendJson(response, limitReply(this.#limited))
    if (this.#faults.before(response) !== null) return
    const reply = this.#answer(call)
    const isCreation = call.method === 'POST' && call.path === '/items'
    if (isCreation && this.#faults.afterCreation(response)) return
    if (call.method === this.#endsAfter) {
      this.#endsAfter = null
      this.endToken()
    }
    sendJson(response, reply)
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
    if (comments && !this.mayComment) return { status: 403, body: { error: 'No permission to comment' } }
    if (!comments && method === 'GET') return { status: 200, body: view(item) }
    if (!comments && method === 'PATCH') {
      const state = body['state'] === 'open' ? { state: 'open' as const, reason: null } : {}
      const texts = {
        ...('title' in body ? { title: body['title'] } : {}),
        ...('body' in body ? { body: body['body'] } : {}),
      }
      Object.assign(item, texts, state)
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

const newToken = () => `tracker-token-${randomUUID()}`

const view = ({ id, number, title, state, reason, comments }: Item) => ({
  id,
  number,
  title,
  url: `https://tracker.example.com/items/${number}`,
  state,
  reason,
  comments: comments.map((comment) => ({ id: comment.id })),
})

function limitReply(seconds: number): JsonReply {
  return { status: 429, body: { error: 'too many requests' }, headers: { 'retry-after': String(seconds) } }
}
