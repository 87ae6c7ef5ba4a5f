import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type {
  CompleteSpan,
  ConnectorLog,
  Context,
  EventOutcome,
  FeedbackItem,
  Page,
  ProviderEvents,
} from '../connector.ts'
import { createCache } from '../kit/cache.ts'
import { Rejected } from '../kit/errors.ts'
import { createHttp } from '../kit/http.ts'
import type { SourceSample, SourceVolume } from '../kit/sample.ts'
import { recordingLog } from '../kit/testing.ts'
import type { IntercomOptions, IntercomSandbox } from '../sandbox/intercom/control.ts'
import { startIntercom } from '../sandbox/intercom/intercom.ts'
import type { ConversationPost, MessagePost } from '../sandbox/intercom/workspace.ts'
import { check } from './check.ts'
import type { State } from './cursor.ts'
import { handleEvent } from './handle-event.ts'
import { pull } from './pull.ts'
import { receive } from './receive.ts'

const HOUR_MS = 3_600_000

/** A conversation that a customer starts and a teammate answers, with as many messages in turn. */
export function madeUp(name: string, messages: number): ConversationPost {
  return {
    subject: `Subject of ${name}`,
    messages: Array.from({ length: messages }, (_, index): MessagePost => {
      const isCustomer = index % 2 === 0
      const author = isCustomer ? `Person ${name}` : 'Agent Ash'
      return { author, as: isCustomer ? 'user' : 'admin', text: `customer words ${name}-${index}` }
    }),
  }
}

export const many = (count: number, messages = 1): ConversationPost[] =>
  Array.from({ length: count }, (_, index) => madeUp(`c-${index}`, messages))

/** A sandbox without conversations and limits, that stops automatically at the end of a test. */
export async function openIntercom(options: IntercomOptions = {}): Promise<IntercomSandbox & AsyncDisposable> {
  const sandbox = await startIntercom({ company: [], limit: null, ...options })
  return { ...sandbox, [Symbol.asyncDispose]: () => sandbox.stop() }
}

/** Starts conversations an hour apart, the last one an hour ago. Returns their ids. */
export function fill(sandbox: IntercomSandbox, posts: readonly ConversationPost[], now = Date.now()): string[] {
  return posts.map((post, index) => sandbox.open({ at: now - (posts.length - index) * HOUR_MS, ...post }))
}

type Given = {
  settings?: Record<string, unknown>
  secrets?: Record<string, string>
  now?: () => Date
  log?: ConnectorLog
}

/** A context for a sandbox, not signed in yet. */
export function contextFor(sandbox: IntercomSandbox, given: Given = {}): Context {
  return {
    settings: { region: 'us', ...given.settings },
    secrets: given.secrets ?? { access_token: sandbox.accessToken },
    http: createHttp({ guard: null, maxBytes: 16 * 1024 * 1024, timeoutMs: 10_000 }),
    log: given.log ?? recordingLog(),
    signal: new AbortController().signal,
    now: given.now ?? (() => new Date()),
    cache: createCache(),
    baseUrl: sandbox.url,
  }
}

/** A context that is connected with an access token as the core does. */
export async function signedIn(sandbox: IntercomSandbox, given: Given = {}): Promise<Context> {
  const context = contextFor(sandbox, given)
  const { settings, secrets } = await check(context)
  return { ...context, settings: { ...settings, ...given.settings }, secrets }
}

type Round = {
  items: FeedbackItem[]
  deleted: string[]
  deletedThreads: string[]
  complete: CompleteSpan[]
  cursor: State | null
  incomplete: string | null
}

/** All pages of one pull. On a failure the pages before it are lost, as in a transaction that was rolled back. */
export async function drain(context: Context, cursor: unknown = null): Promise<Round> {
  const round: Round = { items: [], deleted: [], deletedThreads: [], complete: [], cursor: null, incomplete: null }
  for await (const page of pull(context, JSON.parse(JSON.stringify(cursor)))) keep(round, page)
  return round
}

function keep(round: Round, page: Page<State>): void {
  round.items.push(...page.items)
  round.deleted.push(...(page.deleted ?? []))
  round.deletedThreads.push(...(page.deletedThreads ?? []))
  round.complete.push(...(page.complete ?? []))
  round.cursor = page.cursor
  round.incomplete = page.incomplete ?? null
}

/** Ids of everything that a reader of the sandbox should have. */
export function idsOf({ workspace }: IntercomSandbox): string[] {
  return [...workspace.conversations.values()].flatMap(({ id, parts }) => {
    const replies = parts.filter(({ type }) => ['comment', 'open', 'close', 'quick_reply'].includes(type))
    return [`${id}:source`, ...replies.map((part) => `${id}:${part.id}`)]
  })
}

/** A sandbox whose notifications arrive at a real address and are parsed and handled as the core does. */
export async function openLive() {
  const intercom = await openIntercom()
  const taken = new Map<string, ProviderEvents['events'][number]>()
  const repeated: string[] = []
  let refused = 0
  let answered = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      try {
        const asked = { method: 'POST', key: null, headers: request.headers, body: Buffer.concat(chunks) }
        const { reply, events } = receive({ client_secret: intercom.clientSecret }, asked, new Date())
        for (const event of events) {
          if (taken.has(event.id)) repeated.push(event.id)
          // As the core does: an event of another workspace is that of another connection.
          if (event.account === intercom.workspaceId) taken.set(event.id, event)
        }
        answered += 1
        response.writeHead(reply.status, { 'content-type': reply.type }).end(reply.body)
      } catch (error) {
        refused += 1
        response.writeHead(error instanceof Rejected ? 401 : 500).end()
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  intercom.notifications.subscribe(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api/intercom/events`)
  const context = await signedIn(intercom)
  return {
    intercom,
    context,
    repeated,
    refused: () => refused,
    answered: () => answered,
    /** The outcomes of all events since the last call. */
    outcomes: async (with_: Context = context): Promise<EventOutcome[]> => {
      await intercom.notifications.settled()
      const events = [...taken.values()]
      taken.clear()
      return await Promise.all(events.map(({ payload }) => handleEvent(with_, JSON.parse(JSON.stringify(payload)))))
    },
    [Symbol.asyncDispose]: async () => {
      await intercom.stop()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export const source: SourceSample = async () => {
  const sandbox = await openIntercom()
  fill(
    sandbox,
    Array.from({ length: 30 }, (_, index) => madeUp(`c-${index}`, index % 10 === 0 ? 120 : 1 + (index % 3))),
  )
  return {
    baseUrl: sandbox.url,
    form: { region: 'us', access_token: sandbox.accessToken },
    ids: () => idsOf(sandbox),
    words: ['customer words', 'Person', 'Subject of'],
    fault: (kind) => sandbox.fault(kind),
    add: () => `${sandbox.open(madeUp('one more', 1))}:source`,
    [Symbol.asyncDispose]: () => sandbox.stop(),
  }
}

export const volume: SourceVolume = async (threads, messages) => {
  const sandbox = await openIntercom()
  const posts = Array.from({ length: threads }, (_, index) => ({
    ...madeUp(`c-${index}`, messages),
    at: Date.now() - HOUR_MS - (threads - index) * 60_000,
  }))
  fill(sandbox, posts)
  return {
    baseUrl: sandbox.url,
    form: { region: 'us', access_token: sandbox.accessToken },
    least: Math.ceil(threads / 150) + threads,
    why: '150 conversations per page of the search, which has no parts: one request for each conversation',
    calls: () => sandbox.calls().length,
    [Symbol.asyncDispose]: () => sandbox.stop(),
  }
}
