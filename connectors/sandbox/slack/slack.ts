import type * as http from 'node:http'
import { loadCompany } from '../company/company.ts'
import { answerConsent } from '../consent.ts'
import { FaultQueue } from '../faults.ts'
import { Clock, type Incoming, type SourceOptions, startProvider } from '../provider.ts'
import { sendJson } from '../server.ts'
import { Events } from './events.ts'
import { answerWrongly, type SlackFault } from './faults.ts'
import { type Answer, messageView, methods, refuse, SCOPES } from './methods.ts'
import { createSignIns, type Rotation } from './sign-in.ts'
import { BOT, createWorkspace, POST_BOT, type Post, type Stored, TEAM, type Workspace } from './workspace.ts'

export type SlackOptions = SourceOptions & {
  signingSecret?: string
  /** Valid from the start, for pasting. */
  botToken?: string
  /** Token rotation: 12 hours and no grace at Slack. */
  rotation?: Rotation | null
  /** Where events are sent. Null: nowhere. */
  eventsUrl?: string | null
  /** Milliseconds before each retry of an event. */
  retryDelays?: readonly number[]
}

/** The limits of history and replies, each on its own: calls per minute and objects per page. Null: none. */
type SlackLimits = { perMinute: number | null; objects: number | null }

export type SlackSandbox = {
  url: string
  teamId: string
  teamName: string
  clientId: string
  clientSecret: string
  signingSecret: string
  /** The credentials of its app, under the names of the variables in which an operator sets them. */
  environment: { SLACK_CLIENT_ID: string; SLACK_CLIENT_SECRET: string; SLACK_SIGNING_SECRET: string }
  botToken: string
  /** The second app, which may be given the right to post. */
  postingApp: { clientId: string; clientSecret: string }
  workspace: Workspace
  /** Invites the app that posts to a channel, by its name or id. */
  invitePoster(channel: string): void
  /** What the app that posts has posted, oldest first. */
  posted(): Stored[]
  /** Posts a message as a person; its event is sent automatically. Returns its `ts`. */
  post(message: Post): string
  edit(ts: string, text: string): void
  remove(ts: string): void
  /** Ends every token; `how` is the event that reports it. */
  revoke(how?: 'tokens_revoked' | 'app_uninstalled'): void
  sendEventsTo(url: string | null): void
  /** Turns token rotation on or off for tokens issued from now on. */
  rotateTokens(rotation: Rotation | null): void
  /** Calls handled so far, refused ones too, by method. */
  requests(): Record<string, number>
  /** Every call as it arrived, without its token. */
  calls(): { method: string; verb: string; values: Record<string, string> }[]
  /** Makes the next calls fail, of any method or of this one. */
  fault(kind: SlackFault, times?: number, method?: string): void
  eventFault: Events['fail']
  limit(limits: SlackLimits): void
  events: Pick<Events, 'request' | 'replay' | 'settled'>
  stop(): Promise<void>
}

const LIMITED = new Set(['conversations.history', 'conversations.replies'])
const MINUTE_MS = 60_000

/** Starts a Slack over real HTTP: consent page, Web API under `/api/`, and events. For the demo and tests. */
export async function startSlack(options: SlackOptions = {}): Promise<SlackSandbox> {
  const { now = () => new Date(), retryDelays = [100, 1000, 5000] } = options
  const {
    clientId = '8800.1',
    clientSecret = 'sandbox-client-secret',
    signingSecret = 'sandbox-signing-secret',
  } = options
  const { botToken = 'xoxb-sandbox-pasted-token' } = options
  const workspace = createWorkspace(options.company ?? loadCompany(), now)
  let rotation = options.rotation ?? null
  const postingApp = { clientId: '8800.2', clientSecret: 'sandbox-posting-secret' }
  const apps = [
    { clientId, clientSecret, bot: BOT },
    { ...postingApp, bot: POST_BOT },
  ]
  const signIns = createSignIns(apps, botToken, { rotation: () => rotation, now })
  const events = new Events({ url: options.eventsUrl ?? null, signingSecret, now, retryDelays })
  const faults = new FaultQueue<SlackFault>(() => true)
  const calls: { method: string; verb: string; values: Record<string, string> }[] = []
  const taken = new Map<string, number[]>()
  let limits: SlackLimits = { perMinute: null, objects: null }

  /** Seconds to wait, or null when the call may proceed. */
  const wait = (method: string): number | null => {
    if (limits.perMinute === null || !LIMITED.has(method)) return null
    const time = now().getTime()
    const recent = (taken.get(method) ?? []).filter((at) => time - at < MINUTE_MS)
    taken.set(method, recent)
    if (recent.length < limits.perMinute) {
      recent.push(time)
      return null
    }
    return Math.max(1, Math.ceil(((recent[0] ?? time) + MINUTE_MS - time) / 1000))
  }

  const api = (method: string, values: URLSearchParams, request: http.IncomingMessage): Answer => {
    if (method === 'oauth.v2.access') return signIns.exchange(values, request.headers.authorization)
    const call = methods[method]
    if (!call && method !== 'auth.revoke') return refuse('unknown_method')
    const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1]
    if (token === undefined) return refuse('not_authed')
    if (signIns.hasExpired(token)) return refuse('token_expired')
    if (!signIns.isGood(token)) return refuse('token_revoked')
    const { bot, scopes } = signIns.holderOf(token)
    const needed = SCOPES[method]
    if (needed !== undefined && !scopes.has(needed)) {
      return { ...refuse('missing_scope'), needed, provided: [...scopes].join(',') }
    }
    const answer = call?.(workspace, { values, objects: limits.objects, bot }) ?? signIns.revoke(token, values)
    const posted = answer.ok && method === 'chat.postMessage' ? workspace.find(String(answer.ts)) : undefined
    if (posted) tell(posted, messageView(workspace, posted))
    return answer
  }

  const handle = ({ request, response, url, values }: Incoming) => {
    const { pathname } = url
    if (pathname === '/oauth/v2/authorize') return answerConsent(request, response, values, signIns)
    if (!pathname.startsWith('/api/')) return void response.writeHead(404).end()
    const method = pathname.slice(5)
    const good = () => api(method, values, request)
    const { client_secret: _, refresh_token: __, ...shown } = Object.fromEntries(values)
    calls.push({ method, verb: request.method ?? '', values: shown })
    const fault = faults.take(method)
    if (fault === 'revoked') signIns.revokeAll()
    if (fault) return answerWrongly(fault, { request, response, good })
    const seconds = wait(method)
    if (seconds === null) return sendJson(response, { body: good() })
    sendJson(response, { status: 429, body: refuse('ratelimited'), headers: { 'retry-after': String(seconds) } })
  }

  const provider = await startProvider(options, { clock: new Clock(options.now), webhooks: events }, handle)

  const tell = ({ channel, team }: Stored, event: Record<string, unknown>) => {
    const room = workspace.room(channel)
    const stamp = `${Math.floor(now().getTime() / 1000)}.000000`
    if (!room.isMember) return
    const channelType = room.isPrivate ? 'group' : 'channel'
    const base = { type: 'message', channel, channel_type: channelType, ts: stamp, event_ts: event.ts ?? stamp }
    events.send({ ...base, ...event }, team)
  }
  return {
    url: provider.url,
    teamId: TEAM.id,
    teamName: TEAM.name,
    clientId,
    clientSecret,
    signingSecret,
    environment: {
      SLACK_CLIENT_ID: clientId,
      SLACK_CLIENT_SECRET: clientSecret,
      SLACK_SIGNING_SECRET: signingSecret,
    },
    botToken,
    postingApp,
    workspace,
    invitePoster: (channel) => {
      workspace.room(channel).hasPoster = true
    },
    posted: () => workspace.all().filter(({ bot }) => bot === POST_BOT.bot),
    post(message) {
      const stored = workspace.add(message)
      tell(stored, messageView(workspace, stored))
      return stored.ts
    },
    edit(ts, text) {
      const { before, after } = workspace.edit(ts, text)
      const [message, previous] = [messageView(workspace, after), messageView(workspace, before)]
      tell(after, {
        subtype: 'message_changed',
        hidden: true,
        message,
        previous_message: previous,
        ts: after.edited,
      })
    },
    remove(ts) {
      const removed = workspace.remove(ts)
      const previous = messageView(workspace, { ...removed, gone: false })
      // A message with replies stays as a tombstone, and that counts as a change.
      const change = removed.gone
        ? { subtype: 'message_changed', message: messageView(workspace, removed) }
        : { subtype: 'message_deleted', deleted_ts: ts }
      tell(removed, { ...change, hidden: true, previous_message: previous })
    },
    revoke(how = 'tokens_revoked') {
      signIns.revokeAll()
      events.send(how === 'app_uninstalled' ? { type: how } : { type: how, tokens: { oauth: [], bot: ['U0GROUNDSW'] } })
    },
    sendEventsTo: (to) => {
      events.url = to
    },
    rotateTokens: (next) => {
      rotation = next
    },
    requests: () => {
      const counts: Record<string, number> = {}
      for (const { method } of calls) counts[method] = (counts[method] ?? 0) + 1
      return counts
    },
    calls: () => calls,
    fault: (...given) => faults.add(...given),
    eventFault: events.fail,
    limit: (next) => {
      limits = next
      taken.clear()
    },
    events,
    stop: () => provider.stop(),
  }
}
