import { createHmac } from 'node:crypto'
import type { Context, ProviderRequest } from '../connector.ts'
import type { AppRefusalSample } from '../kit/sample.ts'
import { type GivenContext, stopping, testContext } from '../kit/testing.ts'
import { signIn } from '../kit/worlds/sign-in.ts'
import { sourceWorld } from '../kit/worlds/source.ts'
import type { CompanyMessage } from '../sandbox/company/company.ts'
import { type SlackOptions, type SlackSandbox, startSlack } from '../sandbox/slack/slack.ts'
import { check } from './check.ts'
import { poster } from './poster.ts'
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

type Given = GivenContext & { channels?: string[] }

const world = sourceWorld({
  secrets: ({ botToken }: SlackSandbox) => ({ bot_token: botToken }),
  check,
  pull,
})
export const { drain } = world

/** A context for a sandbox, connected with a pasted token as the core does. */
export const signedIn = (sandbox: SlackSandbox, { channels, ...given }: Given = {}) =>
  world.signedIn(sandbox, { ...given, ...(channels ? { settings: { channels } } : {}) })

/** A context of the second sign-in, which permits posting, made on the stand-in's own page. */
export async function postingIn(sandbox: SlackSandbox): Promise<Context> {
  const context = testContext({ baseUrl: sandbox.url })
  const { clientId: client_id, clientSecret: client_secret } = sandbox.postingApp
  const app = { client_id, client_secret }
  const redirectUrl = 'http://groundswell.example/integrations'
  const { settings, secrets } = await signIn({ oauth: poster.oauth, context, app, redirectUrl })
  return { ...context, settings, secrets }
}

/** Ids of everything that a reader of the sandbox should have. */
export function idsOf(sandbox: SlackSandbox): string[] {
  return sandbox.workspace.all().map(({ channel, ts }) => `${sandbox.teamId}:${channel}:${ts}`)
}

/** A sandbox that stops automatically at the end of a test. */
export const openSlack = async (options: SlackOptions = {}) =>
  stopping(await startSlack({ company: [], retryDelays: [1], ...options }))

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

export const source = world.sample(
  async () => {
    const sandbox = await openSlack({ company: madeUp({ channels: 2, roots: 40, nth: 4, replies: 20 }) })
    sandbox.limit({ perMinute: null, objects: 15 })
    return sandbox
  },
  (sandbox) => ({
    ids: () => idsOf(sandbox),
    fault: (kind) => sandbox.fault(kind, 1, 'conversations.history'),
    add: () => {
      const ts = sandbox.post({ channel: 'room-1', author: 'Person 1', text: 'customer words, one more' })
      return `${sandbox.teamId}:${sandbox.workspace.room('room-1').id}:${ts}`
    },
    remove: (id) => sandbox.remove(id.split(':')[2] ?? ''),
    event: (id) => ({ request: eventOf(sandbox, id), secrets: { signing_secret: sandbox.signingSecret } }),
  }),
)

export const volume = world.volume(
  (threads, messages) => {
    const nth = messages > 1 ? 1 : threads + 1
    return openSlack({ company: madeUp({ channels: 1, roots: threads, nth, replies: messages - 1, every: 60 }) })
  },
  {
    least: (threads, messages) =>
      2 + Math.ceil(threads / 999) + (messages > 1 ? threads * Math.ceil(messages / 999) : 0),
    why: 'channels and people once, 999 messages per page of history, one request for the replies of each thread that has any',
  },
)

export const appRefusal: AppRefusalSample = { status: 200, body: { ok: false, error: 'bad_client_secret' } }
