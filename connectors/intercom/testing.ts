import { type GivenContext, stopping } from '../kit/testing.ts'
import { live } from '../kit/worlds/events.ts'
import { fill, manyOf, minutesApart, sourceWorld, turns } from '../kit/worlds/source.ts'
import type { IntercomOptions, IntercomSandbox } from '../sandbox/intercom/control.ts'
import { startIntercom } from '../sandbox/intercom/intercom.ts'
import type { ConversationPost } from '../sandbox/intercom/workspace.ts'
import { check } from './check.ts'
import { handleEvent } from './handle-event.ts'
import { pull } from './pull.ts'
import { receive } from './receive.ts'

/** A conversation that a customer starts and a teammate answers, with as many messages in turn. */
export const madeUp = (name: string, messages: number): ConversationPost => ({
  subject: `Subject of ${name}`,
  messages: turns(name, messages).map(({ author, isCustomer, text }) => ({
    author,
    as: isCustomer ? 'user' : 'admin',
    text,
  })),
})

export const many = manyOf(madeUp)
export { fill }

/** A sandbox without conversations and limits, that stops automatically at the end of a test. */
export const openIntercom = async (options: IntercomOptions = {}) =>
  stopping(await startIntercom({ company: [], limit: null, ...options }))

const world = sourceWorld({
  settings: () => ({ region: 'us' }),
  secrets: ({ accessToken }: IntercomSandbox) => ({ access_token: accessToken }),
  check,
  pull,
})
export const { contextFor, signedIn, drain } = world

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
  const run = await live(intercom, {
    context: await signedIn(intercom, given),
    receive: (request) => {
      const parsed = receive({ client_secret: intercom.clientSecret }, request, new Date())
      // An event of another workspace is that of another connection.
      return { ...parsed, events: parsed.events.filter(({ account }) => account === intercom.workspaceId) }
    },
    subscribe: (url) => intercom.notifications.subscribe(url),
    settled: intercom.notifications.settled,
    handleEvent,
  })
  return { ...run, intercom }
}

export const source = world.sample(
  async () => {
    const sandbox = await openIntercom()
    fill(
      sandbox,
      many(30, (index) => (index % 10 === 0 ? 120 : 1 + (index % 3))),
    )
    return sandbox
  },
  (sandbox) => ({
    ids: () => idsOf(sandbox),
    add: () => `${sandbox.open(madeUp('one more', 1))}:source`,
  }),
)

export const volume = world.volume(
  async (threads, messages) => {
    const sandbox = await openIntercom()
    fill(sandbox, minutesApart(many(threads, messages)))
    return sandbox
  },
  {
    least: (threads) => Math.ceil(threads / 150) + threads,
    why: '150 conversations per page of the search, which has no parts: one request for each conversation',
  },
)
