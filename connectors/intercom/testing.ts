import type { Context, EventOutcome } from '../connector.ts'
import type { SourceSample, SourceVolume } from '../kit/sample.ts'
import {
  connected,
  drainOf,
  type GivenContext,
  outcomesOf,
  startEventReceiver,
  stopping,
  testContext,
} from '../kit/testing.ts'
import type { IntercomOptions, IntercomSandbox } from '../sandbox/intercom/control.ts'
import { startIntercom } from '../sandbox/intercom/intercom.ts'
import type { ConversationPost, MessagePost } from '../sandbox/intercom/workspace.ts'
import { check } from './check.ts'
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
export const openIntercom = async (options: IntercomOptions = {}) =>
  stopping(await startIntercom({ company: [], limit: null, ...options }))

/** Starts conversations an hour apart, the last one an hour ago. Returns their ids. */
export function fill(sandbox: IntercomSandbox, posts: readonly ConversationPost[], now = Date.now()): string[] {
  return posts.map((post, index) => sandbox.open({ at: now - (posts.length - index) * HOUR_MS, ...post }))
}

/** A context for a sandbox, not signed in yet. */
export const contextFor = (sandbox: IntercomSandbox, given: GivenContext = {}) =>
  testContext({
    baseUrl: sandbox.url,
    secrets: { access_token: sandbox.accessToken },
    ...given,
    settings: { region: 'us', ...given.settings },
  })

/** A context that is connected with an access token as the core does. */
export const signedIn = (sandbox: IntercomSandbox, given: GivenContext = {}) =>
  connected(contextFor(sandbox, given), check, given.settings)

export const drain = drainOf(pull)

/** Ids of everything that a reader of the sandbox should have. */
export function idsOf({ workspace }: IntercomSandbox): string[] {
  return [...workspace.conversations.values()].flatMap(({ id, parts }) => {
    const replies = parts.filter(({ type }) => ['comment', 'open', 'close', 'quick_reply'].includes(type))
    return [`${id}:source`, ...replies.map((part) => `${id}:${part.id}`)]
  })
}

/** A sandbox whose notifications arrive at a real address and are parsed and handled as the core does. */
export async function openLive(given: GivenContext = {}) {
  const intercom = await openIntercom()
  const receiver = await startEventReceiver((request) => {
    const parsed = receive({ client_secret: intercom.clientSecret }, request, new Date())
    // An event of another workspace is that of another connection.
    return { ...parsed, events: parsed.events.filter(({ account }) => account === intercom.workspaceId) }
  })
  intercom.notifications.subscribe(receiver.url)
  const context = await signedIn(intercom, given)
  return {
    intercom,
    context,
    receiver,
    /** The outcomes of all events since the last call. */
    outcomes: async (with_: Context = context): Promise<EventOutcome[]> => {
      await intercom.notifications.settled()
      return await outcomesOf(receiver, handleEvent, with_)
    },
    [Symbol.asyncDispose]: async () => {
      await intercom.stop()
      await receiver[Symbol.asyncDispose]()
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
