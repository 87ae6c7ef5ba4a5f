import type { Context } from '../connector.ts'
import { type GivenContext, type Handler, stopping, testContext } from '../kit/testing.ts'
import { sourceWorld } from '../kit/worlds/source.ts'
import type { TeamsOptions, TeamsSandbox } from '../sandbox/teams/control.ts'
import { startTeams } from '../sandbox/teams/teams.ts'
import { check } from './check.ts'
import { pull } from './pull.ts'

const HOUR_MS = 3_600_000

/** A tenant without messages, that stops automatically at the end of a test. */
export const openTeams = async (options: TeamsOptions = {}) => stopping(await startTeams({ company: [], ...options }))

/** Posts in one channel, six hours apart and all of them old, each `nth` with this many replies. Returns the ids of the posts. */
export function fill(
  sandbox: TeamsSandbox,
  plan: { channel: string; posts: number; nth: number; replies: number },
): string[] {
  const { channel, posts, nth, replies } = plan
  return Array.from({ length: posts }, (_, index) => {
    const at = Date.now() - (posts - index) * 6 * HOUR_MS
    const name = `${channel}-${index}`
    const { id } = sandbox.tenant.post({ channel, author: `Person ${index % 5}`, text: `customer words ${name}`, at })
    for (let reply = 0; index % nth === 0 && reply < replies; reply += 1) {
      const text = `customer words ${name} reply ${reply}`
      sandbox.tenant.post({ channel, author: `Person ${reply % 5}`, text, root: id, at: at + (reply + 1) * 1000 })
    }
    return id
  })
}

const world = sourceWorld({
  settings: ({ domain, clientId }: TeamsSandbox) => ({ tenant: domain, client_id: clientId }),
  secrets: ({ clientSecret }: TeamsSandbox) => ({ client_secret: clientSecret }),
  check,
  pull,
})
export const { contextFor, signedIn, drain } = world

/** The external id of a message. */
export function idOf({ tenant }: TeamsSandbox, id: string): string {
  const { channel, root } = tenant.message(id)
  return root === null ? `${channel}:${id}` : `${channel}:${root}:${id}`
}

/** Ids of everything that a reader of the sandbox should have. */
export function idsOf(sandbox: TeamsSandbox): string[] {
  const present = sandbox.tenant.messages.filter(({ deleted, type }) => deleted === null && type === 'message')
  return present.map(({ id }) => idOf(sandbox, id))
}

export const source = world.sample(
  async () => {
    const sandbox = await openTeams({ pageSize: 10, expanded: 10 })
    fill(sandbox, { channel: 'General', posts: 30, nth: 5, replies: 12 })
    fill(sandbox, { channel: 'Feedback', posts: 30, nth: 2, replies: 4 })
    return sandbox
  },
  (sandbox) => ({
    ids: () => idsOf(sandbox),
    add: () =>
      idOf(sandbox, sandbox.post({ channel: 'General', author: 'Person 1', text: 'customer words, one more' })),
    remove: (id) => sandbox.remove(id.split(':').at(-1) ?? ''),
  }),
)

type Json = Record<string, unknown>
/** Responses of a scripted Graph. A `status` of a response is its status. */
export type Script = Partial<
  Record<'teams' | 'channels' | 'delta' | 'messages' | 'replies', (query: URLSearchParams, path: string) => Json>
>

export const SCRIPTED_CHANNEL = '19:a@thread.tacv2'
export const SCRIPTED_NOW = new Date('2026-03-01T12:00:00Z')

/** A Graph with one channel and scripted responses, for what the sandbox never sends. */
export function scripted(script: Script): Handler {
  const defaults: Required<Script> = {
    teams: () => ({ value: [{ id: 't', displayName: 'Team' }] }),
    channels: () => ({ value: [{ id: SCRIPTED_CHANNEL, displayName: 'General' }] }),
    delta: () => ({ value: [], '@odata.deltaLink': linkTo('end', 'deltatoken') }),
    messages: () => ({ value: [] }),
    replies: () => ({ value: [] }),
  }
  return ({ url }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://graph')
    const name = pathname.split('/').at(-1) as keyof Script
    const { status = 200, ...body } = (script[name] ?? defaults[name])(searchParams, decodeURIComponent(pathname))
    response.writeHead(Number(status), { date: SCRIPTED_NOW.toUTCString() }).end(JSON.stringify(body))
  }
}

/** A connection that is signed in to a scripted Graph. */
export const scriptedContext = (baseUrl: string, given: GivenContext = {}): Context =>
  testContext({
    baseUrl,
    secrets: { access_token: 'token-1' },
    now: () => SCRIPTED_NOW,
    maxBytes: 1024 * 1024,
    ...given,
    settings: { tenant: 'acme.example', tenant_id: '7f1c0a52-3a0e-4c5e-9d0b-1f6f5f6a7c01', ...given.settings },
  })

/** A post or a reply of a scripted Graph, a day old. */
export const postOf = (id: string, more: Json = {}): Json => ({
  id,
  messageType: 'message',
  createdDateTime: '2026-02-28T12:00:00Z',
  body: { contentType: 'html', content: `<p>text ${id}</p>` },
  ...more,
})

/** A link to a next page or a delta. */
export const linkTo = (token: string, kind = 'skiptoken', host = 'https://graph.microsoft.com') =>
  `${host}/v1.0/teams/x/channels/y/messages/delta?$${kind}=${token}&secret=1`

export const volume = world.volume(
  async (threads, messages) => {
    const sandbox = await openTeams()
    for (let index = 0; index < threads; index += 1) {
      const at = Date.now() - (threads - index) * 60_000 - HOUR_MS
      const post = { channel: 'General', author: `Person ${index % 5}` }
      const { id } = sandbox.tenant.post({ ...post, text: `post ${index}`, at })
      for (let reply = 1; reply < messages; reply += 1) {
        sandbox.tenant.post({ ...post, text: `reply ${index}-${reply}`, root: id, at: at + reply * 1000 })
      }
    }
    return sandbox
  },
  {
    least: (threads) => 2 + Math.ceil(threads / 50),
    why: 'teams and channels once, 50 posts per page of the delta, each with up to 1,000 replies',
  },
)
