import { type Handler, startServer, stopping } from '../kit/testing.ts'
import { live } from '../kit/worlds/events.ts'
import { fill, manyOf, minutesApart, sourceWorld, turns } from '../kit/worlds/source.ts'
import type { ConversationPost } from '../sandbox/helpscout/account.ts'
import type { HelpScoutOptions, HelpScoutSandbox } from '../sandbox/helpscout/control.ts'
import { startHelpScout } from '../sandbox/helpscout/helpscout.ts'
import { check } from './check.ts'
import { handleEvent } from './handle-event.ts'
import { isMessage } from './item.ts'
import { pull } from './pull.ts'
import { receive } from './receive.ts'
import { subscriptions } from './subscriptions.ts'

/** A conversation that a customer opens and a user answers, with as many messages in turn. */
export const madeUp = (name: string, threads: number): ConversationPost => ({
  subject: `Subject of ${name}`,
  threads: turns(name, threads).map(({ author, isCustomer, text }) => ({
    author,
    as: isCustomer ? 'customer' : 'user',
    text,
  })),
})

export const many = manyOf(madeUp)
export { fill }

/** A sandbox without conversations and limits, that stops automatically at the end of a test. */
export const openHelpScout = async (options: HelpScoutOptions = {}) =>
  stopping(await startHelpScout({ company: [], limit: null, ...options }))

const world = sourceWorld({
  settings: ({ clientId }: HelpScoutSandbox) => ({ app_id: clientId }),
  secrets: ({ clientSecret }: HelpScoutSandbox) => ({ app_secret: clientSecret }),
  check,
  pull,
})
export const { contextFor, signedIn, drain } = world

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
  const run = await live(sandbox, {
    context: await signedIn(sandbox),
    receive: (request) => receive(secrets, request, new Date('2026-03-01T12:00:00Z')),
    subscribe: async (url, context) => {
      secrets = (await subscriptions.ensure(context, { url, secret: SECRET, previous: null })).secrets ?? {}
    },
    settled: sandbox.webhooks.settled,
    handleEvent,
  })
  return { ...run, sandbox }
}

export const source = world.sample(
  async () => {
    const sandbox = await openHelpScout()
    fill(
      sandbox,
      many(60, (index) => (index % 20 === 0 ? 120 : 1 + (index % 3))),
    )
    return sandbox
  },
  (sandbox) => ({
    ids: () => idsOf(sandbox),
    add: () => {
      const id = sandbox.open(madeUp('one more', 1))
      return `${id}:${sandbox.account.conversation(id).threads[0]?.id}`
    },
    // A user hides the message.
    remove: (id) => {
      const [conversation = 0, thread = 0] = id.split(':').map(Number)
      sandbox.account.edit(conversation, thread, { state: 'hidden' })
    },
  }),
)

export const volume = world.volume(
  async (threads, messages) => {
    const sandbox = await openHelpScout()
    fill(sandbox, minutesApart(many(threads, messages)))
    return sandbox
  },
  {
    least: (threads, messages) => Math.ceil(threads / 25) + threads * Math.ceil(messages / 50),
    why: '25 conversations per page of the list, 50 threads per page of each conversation',
  },
)
