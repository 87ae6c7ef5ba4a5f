import { randomUUID } from 'node:crypto'
import * as http from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'
import type {
  CompleteSpan,
  Connector,
  ConnectorLog,
  Context,
  EventOutcome,
  FeedbackItem,
  Page,
  ProviderEvents,
  ProviderRequest,
  SetAsideView,
} from '../connector.ts'
import type { RemoteItem, Tracker } from '../tracker.ts'
import { createCache } from './cache.ts'
import type { InsightDocument } from './documents/insight-document.ts'
import { isConnectorFailure } from './errors.ts'
import { createHttp } from './http/http.ts'

type Seen = { method: string; url: string; headers: http.IncomingHttpHeaders; body: string }

/** Answers a request of a test, which has arrived completely. */
export type Handler = (request: Seen, response: http.ServerResponse, socket: http.IncomingMessage['socket']) => void

/** A server of a test and what it has received. It stops when it is disposed. */
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

/**
 * Passes every request on to the server at `origin`. An answer to a request whose URL has `part` in it is held back until `release`; `asked`
 * resolves once there is one.
 */
export async function holdAnswers(
  origin: string,
  part: string,
): Promise<TestServer & { asked: Promise<void>; release: () => void }> {
  const asked = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const server = await startServer(({ method, url, headers, body }, response) => {
    const { authorization = '', 'content-type': type = '' } = headers
    const sent = { method, headers: { authorization, 'content-type': type }, ...(body === '' ? {} : { body }) }
    void fetch(`${origin}${url}`, sent).then(
      async (answer) => {
        const text = await answer.text()
        if (url.includes(part)) {
          asked.resolve()
          await released.promise
        }
        response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(text)
      },
      () => response.destroy(),
    )
  })
  return { ...server, asked: asked.promise, release: released.resolve }
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

type RecordingLog = ConnectorLog & { lines: string[] }

/** A log that records its lines as text. */
export function recordingLog(): RecordingLog {
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

/** A stand-in that stops automatically at the end of a test. */
export function stopping<T extends { stop(): Promise<void> }>(standIn: T): T & AsyncDisposable {
  return { ...standIn, [Symbol.asyncDispose]: () => standIn.stop() }
}

/** A connector’s context whose log can be read. */
export type TestContext = Context & { log: RecordingLog }
/** What a test sets in a context; the rest has defaults. `maxBytes`: of a reply; `timeoutMs`: of a request, in milliseconds. */
export type GivenContext = Partial<TestContext> & { maxBytes?: number; timeoutMs?: number }

/** A context as the core makes it, which may reach loopback. */
export function testContext({ maxBytes = 16 * 1024 * 1024, timeoutMs = 10_000, ...given }: GivenContext): TestContext {
  return {
    settings: {},
    secrets: {},
    http: createHttp({ guard: null, maxBytes, timeoutMs }),
    log: recordingLog(),
    signal: new AbortController().signal,
    now: () => new Date(),
    cache: createCache(),
    baseUrl: null,
    ...given,
  }
}

type Check = NonNullable<Connector['check']>

/** The context once it is connected as the core does. `settings` are chosen afterwards. */
export async function connected<T extends Context>(context: T, check: Check, settings = {}): Promise<T> {
  const account = await check(context)
  return { ...context, settings: { ...account.settings, ...settings }, secrets: account.secrets }
}

/** What a pull gave. */
export type Round<State> = {
  items: FeedbackItem[]
  deleted: string[]
  deletedThreads: string[]
  attachmentOnly: string[]
  complete: CompleteSpan[]
  cursor: State | null
  pages: number
  incomplete: string | null
  setAside: SetAsideView | null
}

/** All pages of one pull. On a failure the pages before it are lost, as in a transaction that was rolled back. */
export const drainOf =
  <State>(pull: (context: Context, cursor: unknown) => AsyncGenerator<Page<State>>) =>
  async (context: Context, cursor: unknown = null): Promise<Round<State>> => {
    const pages: Page<State>[] = []
    for await (const page of pull(context, JSON.parse(JSON.stringify(cursor)))) pages.push(page)
    return {
      items: pages.flatMap(({ items }) => items),
      deleted: pages.flatMap(({ deleted = [] }) => deleted),
      deletedThreads: pages.flatMap(({ deletedThreads = [] }) => deletedThreads),
      attachmentOnly: pages.flatMap(({ attachmentOnly = [] }) => attachmentOnly),
      complete: pages.flatMap(({ complete = [] }) => complete),
      cursor: pages.at(-1)?.cursor ?? null,
      pages: pages.length,
      incomplete: pages.at(-1)?.incomplete ?? null,
      setAside: pages.at(-1)?.setAside ?? null,
    }
  }

/** An insight's document with customer text in it. */
export function documentFor(marker: string, given: Partial<InsightDocument> = {}): InsightDocument {
  return {
    title: 'Export stops halfway',
    summary: 'Large exports end without a message.',
    counts: { mentions: 3, people: 2 },
    tags: [{ name: 'Area', value: 'Reports' }],
    quotes: [],
    companies: [],
    link: 'https://feedback.example.com/insights?issue=7',
    updated: new Date('2026-03-02T10:00:00Z'),
    ...given,
    marker,
  }
}

/** An insight, and how it is pushed to a tracker. */
export function insightFor(tracker: Tracker, context: Context) {
  const document = documentFor(randomUUID())
  return {
    document,
    create: () => tracker.create(context, { document, reopen: false }),
    update: (remote: RemoteItem, reopen = false) => tracker.update(context, remote, { document, reopen }),
  }
}

/** A server of a test that receives a provider’s events as the core does. It stops when it is disposed. */
export type Receiver = AsyncDisposable & {
  /** Ends in a key, as the address of a connection does. */
  url: string
  /** Events as they arrived. */
  received: ProviderEvents['events'][number][]
  /** Ids of those that had arrived already. */
  repeated: string[]
  /** Requests that were accepted. */
  accepted: number
  /** Why requests were refused. */
  refused: string[]
  /** Answers every request, without parsing it. */
  status: number | null
}

/** A real address at which a provider's requests are parsed and answered as by the core. */
export async function startEventReceiver(receive: (request: ProviderRequest) => ProviderEvents): Promise<Receiver> {
  const server = await startServer(({ method, url, headers, body }, response) => {
    if (receiver.status !== null) return void response.writeHead(receiver.status).end()
    try {
      const key = /\/events\/(.+)$/.exec(url)?.[1] ?? null
      const { reply, events } = receive({ method, key, headers, body: Buffer.from(body) })
      for (const event of events) {
        if (receiver.received.some(({ id }) => id === event.id)) receiver.repeated.push(event.id)
        receiver.received.push(event)
      }
      receiver.accepted += 1
      response.writeHead(reply.status, { 'content-type': reply.type }).end(reply.body)
    } catch (error) {
      receiver.refused.push((error as Error).message)
      response.writeHead(isConnectorFailure(error) ? 403 : 500).end()
    }
  })
  const receiver: Receiver = {
    url: `${server.url}/events/key`,
    received: [],
    repeated: [],
    accepted: 0,
    refused: [],
    status: null,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
  return receiver
}

type Handle = (context: Context, payload: Record<string, unknown>) => Promise<EventOutcome>

/** What the events change that were received since the last call, each of them once. */
export function outcomesOf({ received }: Pick<Receiver, 'received'>, handle: Handle, context: Context) {
  const events = new Map(received.splice(0).map((event) => [event.id, event]))
  return Promise.all([...events.values()].map(({ payload }) => handle(context, JSON.parse(JSON.stringify(payload)))))
}
