import type { Context, EventOutcome } from '../connector.ts'
import type { SourceSample, SourceVolume } from '../kit/sample.ts'
import {
  connected,
  drainOf,
  type GivenContext,
  type Handler,
  outcomesOf,
  startEventReceiver,
  startServer,
  stopping,
  testContext,
} from '../kit/testing.ts'
import type { ConversationPost, ThreadPost } from '../sandbox/helpscout/account.ts'
import type { HelpScoutOptions, HelpScoutSandbox } from '../sandbox/helpscout/control.ts'
import { startHelpScout } from '../sandbox/helpscout/helpscout.ts'
import { check } from './check.ts'
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
export const openHelpScout = async (options: HelpScoutOptions = {}) =>
  stopping(await startHelpScout({ company: [], limit: null, ...options }))

/** Opens conversations an hour apart. Returns their ids. */
export function fill(sandbox: HelpScoutSandbox, posts: readonly ConversationPost[], now = Date.now()): number[] {
  return posts.map((post, index) => sandbox.open({ at: now - (posts.length - index) * HOUR_MS, ...post }))
}

/** A context for a sandbox, not signed in yet. */
export const contextFor = (sandbox: HelpScoutSandbox, given: GivenContext = {}) =>
  testContext({
    baseUrl: sandbox.url,
    secrets: { app_secret: sandbox.clientSecret },
    ...given,
    settings: { app_id: sandbox.clientId, ...given.settings },
  })

/** A context that is connected with client credentials as the core does. */
export const signedIn = (sandbox: HelpScoutSandbox, given: GivenContext = {}) =>
  connected(contextFor(sandbox, given), check, given.settings)

export const drain = drainOf(pull)

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
  let secrets: Record<string, string> = {}
  const receiver = await startEventReceiver((request) => receive(secrets, request, new Date('2026-03-01T12:00:00Z')))
  const context = await signedIn(sandbox)
  const { url } = receiver
  secrets = (await subscriptions.ensure(context, { url, secret: SECRET, previous: null })).secrets ?? {}
  return {
    sandbox,
    context,
    receiver,
    /** The outcomes of all events since the last call. */
    outcomes: async (with_: Context = context): Promise<EventOutcome[]> => {
      await sandbox.webhooks.settled()
      return await outcomesOf(receiver, handleEvent, with_)
    },
    [Symbol.asyncDispose]: async () => {
      await sandbox.stop()
      await receiver[Symbol.asyncDispose]()
    },
  }
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
