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
import { type Handler, recordingLog, startServer } from '../kit/testing.ts'
import type { ConversationPost, ThreadPost } from '../sandbox/helpscout/account.ts'
import type { HelpScoutOptions, HelpScoutSandbox } from '../sandbox/helpscout/control.ts'
import { startHelpScout } from '../sandbox/helpscout/helpscout.ts'
import { check } from './check.ts'
import type { State } from './cursor.ts'
import { handleEvent } from './handle-event.ts'
import { isMessage } from './item.ts'
import { pull } from './pull.ts'
import { receive } from './receive.ts'
import { subscriptions } from './subscriptions.ts'

const HOUR_MS = 3_600_000

/** A conversation that a customer opens and a user answers, with as many messages in turn. */
export function madeUp(name: string, threads: number): ConversationPost {
  return {
    subject: `Subject of ${name}`,
    threads: Array.from({ length: threads }, (_, index): ThreadPost => {
      const author = index % 2 === 0 ? `Person ${name}` : 'Agent Ash'
      return { author, as: index % 2 === 0 ? 'customer' : 'user', text: `customer words ${name}-${index}` }
    }),
  }
}

export const many = (count: number, threads = 1) =>
  Array.from({ length: count }, (_, index) => madeUp(`c-${index}`, threads))

/** A sandbox without conversations and limits, that stops automatically at the end of a test. */
export async function openHelpScout(options: HelpScoutOptions = {}): Promise<HelpScoutSandbox & AsyncDisposable> {
  const sandbox = await startHelpScout({ company: [], limit: null, ...options })
  return { ...sandbox, [Symbol.asyncDispose]: () => sandbox.stop() }
}

/** Opens conversations an hour apart. Returns their ids. */
export function fill(sandbox: HelpScoutSandbox, posts: readonly ConversationPost[], now = Date.now()): number[] {
  return posts.map((post, index) => sandbox.open({ at: now - (posts.length - index) * HOUR_MS, ...post }))
}

type Given = {
  settings?: Record<string, unknown>
  secrets?: Record<string, string>
  now?: () => Date
  log?: ConnectorLog
}

/** A context for a sandbox, not signed in yet. */
export function contextFor(sandbox: HelpScoutSandbox, given: Given = {}): Context {
  return {
    settings: { app_id: sandbox.clientId, ...given.settings },
    secrets: given.secrets ?? { app_secret: sandbox.clientSecret },
    http: createHttp({ guard: null, maxBytes: 16 * 1024 * 1024, timeoutMs: 10_000 }),
    log: given.log ?? recordingLog(),
    signal: new AbortController().signal,
    now: given.now ?? (() => new Date()),
    cache: createCache(),
    baseUrl: sandbox.url,
  }
}

/** A context that is connected with client credentials as the core does. */
export async function signedIn(sandbox: HelpScoutSandbox, given: Given = {}): Promise<Context> {
  const context = contextFor(sandbox, given)
  const { settings, secrets } = await check(context)
  return { ...context, settings: { ...settings, ...given.settings }, secrets }
}

export type Round = {
  items: FeedbackItem[]
  deletedThreads: string[]
  complete: CompleteSpan[]
  cursor: State | null
  pages: number
  incomplete: string | null
}

/** All pages of one pull. On a failure the pages before it are lost, as in a transaction that was rolled back. */
export async function drain(context: Context, cursor: unknown = null): Promise<Round> {
  const round: Round = { items: [], deletedThreads: [], complete: [], cursor: null, pages: 0, incomplete: null }
  for await (const page of pull(context, JSON.parse(JSON.stringify(cursor)))) keep(round, page)
  return round
}

function keep(round: Round, page: Page<State>): void {
  round.items.push(...page.items)
  round.deletedThreads.push(...(page.deletedThreads ?? []))
  round.complete.push(...(page.complete ?? []))
  round.cursor = page.cursor
  round.pages += 1
  round.incomplete = page.incomplete ?? null
}

/** Ids of everything that a reader of the sandbox should have. */
export function idsOf({ account }: HelpScoutSandbox): string[] {
  return account
    .listed()
    .flatMap(({ id, threads }) =>
      threads.filter((one) => isMessage({ ...one, createdAt: '' })).map((thread) => `${id}:${thread.id}`),
    )
}

/** A server in front of the sandbox that changes some of its responses, and refuses others by a part of their path. */
export async function inFront(
  url: string,
  change: (path: string, body: Record<string, unknown>) => unknown,
  refuse: Record<string, number> = {},
) {
  const handler: Handler = ({ url: path, headers }, response) => {
    const { authorization = '' } = headers
    const refused = Object.entries(refuse).find(([part]) => path.includes(part))?.[1]
    if (refused) return void response.writeHead(refused).end('{"message":"Forbidden"}')
    void fetch(url + path, { headers: { authorization } }).then(async (answer) => {
      const body = (await answer.json()) as Record<string, unknown>
      response.writeHead(answer.status).end(JSON.stringify(change(path, body) ?? body))
    })
  }
  return await startServer(handler)
}

/** As the core makes it: 32 random bytes in base64url, which is longer than Help Scout takes. */
export const SECRET = `${'kJ3v'.repeat(10)}end`

/** A sandbox whose events arrive at a real address and are parsed and handled as the core does. */
export async function openLive() {
  const sandbox = await openHelpScout()
  const taken = new Map<string, ProviderEvents['events'][number]>()
  const live = { repeated: [] as string[], refused: 0, status: null as number | null }
  let secrets: Record<string, string> = {}
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (live.status !== null) return void response.writeHead(live.status).end()
      try {
        const asked = { method: 'POST', key: 'k', headers: request.headers, body: Buffer.concat(chunks) }
        const { reply, events } = receive(secrets, asked, new Date('2026-03-01T12:00:00Z'))
        for (const event of events) {
          if (taken.has(event.id)) live.repeated.push(event.id)
          taken.set(event.id, event)
        }
        response.writeHead(reply.status, { 'content-type': reply.type }).end(reply.body)
      } catch (error) {
        live.refused += 1
        response.writeHead(error instanceof Rejected ? 403 : 500).end()
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/helpscout/events/k`
  const context = await signedIn(sandbox)
  secrets = (await subscriptions.ensure(context, { url, secret: SECRET, previous: null })).secrets ?? {}
  /** The outcomes of all events since the last call. */
  const outcomes = async (with_: Context = context): Promise<EventOutcome[]> => {
    await sandbox.webhooks.settled()
    const events = [...taken.values()]
    taken.clear()
    return await Promise.all(events.map(({ payload }) => handleEvent(with_, JSON.parse(JSON.stringify(payload)))))
  }
  const stop = async () => {
    await sandbox.stop()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return Object.assign(live, { sandbox, context, url, outcomes, [Symbol.asyncDispose]: stop })
}

export const source: SourceSample = async () => {
  const sandbox = await openHelpScout()
  fill(
    sandbox,
    Array.from({ length: 60 }, (_, index) => madeUp(`c-${index}`, index % 20 === 0 ? 120 : 1 + (index % 3))),
  )
  return {
    baseUrl: sandbox.url,
    form: { app_id: sandbox.clientId, app_secret: sandbox.clientSecret },
    ids: () => idsOf(sandbox),
    words: ['customer words', 'Person', 'Subject of'],
    fault: (kind) => sandbox.fault(kind),
    add: () => {
      const id = sandbox.open(madeUp('one more', 1))
      return `${id}:${sandbox.account.conversation(id).threads[0]?.id}`
    },
    // A user hides the message.
    remove: (id) => {
      const [conversation = 0, thread = 0] = id.split(':').map(Number)
      sandbox.account.edit(conversation, thread, { state: 'hidden' })
    },
    [Symbol.asyncDispose]: () => sandbox.stop(),
  }
}

export const volume: SourceVolume = async (threads, messages) => {
  const sandbox = await openHelpScout()
  const posts = Array.from({ length: threads }, (_, index) => ({
    ...madeUp(`c-${index}`, messages),
    at: Date.now() - HOUR_MS - (threads - index) * 60_000,
  }))
  fill(sandbox, posts)
  return {
    baseUrl: sandbox.url,
    form: { app_id: sandbox.clientId, app_secret: sandbox.clientSecret },
    least: Math.ceil(threads / 25) + threads * Math.ceil(messages / 50),
    why: '25 conversations per page of the list, 50 threads per page of each conversation',
    calls: () => sandbox.calls().length,
    [Symbol.asyncDispose]: () => sandbox.stop(),
  }
}
