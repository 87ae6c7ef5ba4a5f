import { createHmac } from 'node:crypto'
import type { ConnectorLog, Context, FeedbackItem, Page, ProviderRequest } from '../connector.ts'
import { createCache } from '../kit/cache.ts'
import { createHttp } from '../kit/http.ts'
import type { SourceSample, SourceVolume } from '../kit/sample.ts'
import { recordingLog } from '../kit/testing.ts'
import type { CompanyMessage } from '../sandbox/company/company.ts'
import { type SlackOptions, type SlackSandbox, startSlack } from '../sandbox/slack/slack.ts'
import { check } from './check.ts'
import type { State } from './cursor.ts'
import { pull } from './pull.ts'

const DAY_MINUTES = 1440

/** Generated messages: `roots` per channel, one every `every` minutes, each `nth` with this many replies. */
export function madeUp(plan: { channels: number; roots: number; nth: number; replies: number; every?: number }) {
  const { channels, roots, nth, replies, every = DAY_MINUTES } = plan
  const messages: CompanyMessage[] = []
  for (let channel = 1; channel <= channels; channel += 1) {
    for (let root = 0; root < roots; root += 1) {
      const id = `m-${channel}-${root}`
      const base = { kind: 'message' as const, channel: `room-${channel}`, company: 'Acme', label: null, also: [] }
      const at = root * every
      const author = `Person ${root % 7}`
      messages.push({ ...base, id, thread: null, author, at, text: `customer words ${id}`, lang: 'en' })
      for (let reply = 0; root % nth === 0 && reply < replies; reply += 1) {
        const text = `customer words ${id} reply ${reply}`
        messages.push({ ...base, id: `${id}-${reply}`, thread: id, author: `Person ${reply}`, at, text, lang: 'en' })
      }
    }
  }
  return messages
}

/** A context for a sandbox, connected with a pasted token as the core does. */
export async function signedIn(
  sandbox: SlackSandbox,
  given: { channels?: string[]; now?: () => Date; log?: ConnectorLog } = {},
): Promise<Context> {
  const context: Context = {
    settings: {},
    secrets: { bot_token: sandbox.botToken },
    http: createHttp({ guard: null, maxBytes: 16 * 1024 * 1024, timeoutMs: 10_000 }),
    log: given.log ?? recordingLog(),
    signal: new AbortController().signal,
    now: given.now ?? (() => new Date()),
    cache: createCache(),
    baseUrl: sandbox.url,
  }
  const { settings, secrets } = await check(context)
  return { ...context, settings: { ...settings, channels: given.channels }, secrets }
}

type Round = {
  items: FeedbackItem[]
  deleted: string[]
  cursor: State | null
  pages: number
  incomplete: string | null
}

/** All pages of one pull. On a failure the pages before it are lost, as in a transaction that was rolled back. */
export async function drain(context: Context, cursor: unknown = null): Promise<Round> {
  const round: Round = { items: [], deleted: [], cursor: null, pages: 0, incomplete: null }
  for await (const page of pull(context, JSON.parse(JSON.stringify(cursor)))) keep(round, page)
  return round
}

function keep(round: Round, page: Page<State>): void {
  round.items.push(...page.items)
  round.deleted.push(...(page.deleted ?? []))
  round.cursor = page.cursor
  round.pages += 1
  round.incomplete = page.incomplete ?? null
}

/** Ids of everything that a reader of the sandbox should have. */
export function idsOf(sandbox: SlackSandbox): string[] {
  return sandbox.workspace.all().map(({ channel, ts }) => `${sandbox.teamId}:${channel}:${ts}`)
}

/** A sandbox that stops automatically at the end of a test. */
export async function openSlack(options: SlackOptions = {}): Promise<SlackSandbox & AsyncDisposable> {
  const sandbox = await startSlack({ company: [], retryDelays: [1], ...options })
  return { ...sandbox, [Symbol.asyncDispose]: () => sandbox.stop() }
}

export const source: SourceSample = async () => {
  const company = madeUp({ channels: 2, roots: 40, nth: 4, replies: 20 })
  const sandbox = await openSlack({ company })
  sandbox.limit({ perMinute: null, objects: 15 })
  return {
    baseUrl: sandbox.url,
    form: { bot_token: sandbox.botToken },
    ids: () => idsOf(sandbox),
    words: ['customer words', 'Person'],
    fault: (kind) => sandbox.fault(kind, 1, 'conversations.history'),
    add: () => {
      const ts = sandbox.post({ channel: 'room-1', author: 'Person 1', text: 'customer words, one more' })
      return `${sandbox.teamId}:${sandbox.workspace.room('room-1').id}:${ts}`
    },
    remove: (id) => sandbox.remove(id.split(':')[2] ?? ''),
    event: (id) => ({ request: eventOf(sandbox, id), secrets: { signing_secret: sandbox.signingSecret } }),
    [Symbol.asyncDispose]: () => sandbox.stop(),
  }
}

/** The event of a message, signed now. */
function eventOf({ workspace, teamId, signingSecret }: SlackSandbox, id: string): ProviderRequest {
  const [, channel, ts = ''] = id.split(':')
  const { user, text, root } = workspace.find(ts) ?? {}
  const event = {
    type: 'message',
    channel,
    channel_type: 'channel',
    ts,
    user,
    text,
    ...(root ? { thread_ts: root } : {}),
  }
  const body = Buffer.from(JSON.stringify({ type: 'event_callback', team_id: teamId, event_id: `Ev${ts}`, event }))
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = createHmac('sha256', signingSecret).update(`v0:${timestamp}:`).update(body).digest('hex')
  const headers = { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': `v0=${signature}` }
  return { method: 'POST', headers, body }
}

export const volume: SourceVolume = async (threads, messages) => {
  const nth = messages > 1 ? 1 : threads + 1
  const sandbox = await openSlack({
    company: madeUp({ channels: 1, roots: threads, nth, replies: messages - 1, every: 60 }),
  })
  return {
    baseUrl: sandbox.url,
    form: { bot_token: sandbox.botToken },
    least: 2 + Math.ceil(threads / 999) + (messages > 1 ? threads * Math.ceil(messages / 999) : 0),
    why: 'channels and people once, 999 messages per page of history, one request for the replies of each thread that has any',
    calls: () => sandbox.calls().length,
    [Symbol.asyncDispose]: () => sandbox.stop(),
  }
}
