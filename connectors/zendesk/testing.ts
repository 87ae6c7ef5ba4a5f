import { createHmac, randomUUID } from 'node:crypto'
import type { ProviderRequest } from '../connector.ts'
import { stopping } from '../kit/testing.ts'
import { fill, manyOf, minutesApart, sourceWorld, turns } from '../kit/worlds/source.ts'
import type { TicketPost } from '../sandbox/zendesk/account.ts'
import type { ZendeskOptions, ZendeskSandbox } from '../sandbox/zendesk/control.ts'
import type { Role } from '../sandbox/zendesk/records.ts'
import { startZendesk } from '../sandbox/zendesk/zendesk.ts'
import { check } from './check.ts'
import { pull } from './pull.ts'

/** A ticket that a customer opens and an agent answers, with as many public comments in turn. */
export const madeUp = (name: string, comments: number): TicketPost => ({
  subject: `Subject of ${name}`,
  comments: turns(name, comments).map(({ author, isCustomer, text }) => ({
    author,
    as: isCustomer ? 'end-user' : 'agent',
    text,
  })),
})

export const many = manyOf(madeUp)
export { fill }

/** A sandbox without tickets and limits, that stops automatically at the end of a test. */
export const openZendesk = async (options: ZendeskOptions = {}) =>
  stopping(await startZendesk({ company: [], limits: { account: null, incremental: null }, ...options }))

const world = sourceWorld({
  settings: ({ subdomain, email }: ZendeskSandbox) => ({ subdomain, email }),
  secrets: ({ apiToken }: ZendeskSandbox) => ({ api_token: apiToken }),
  check,
  pull,
})
export const { contextFor, signedIn, drain } = world

/** Ids of everything that a reader of the sandbox should have. */
export function idsOf({ account }: ZendeskSandbox, roles: readonly Role[] = ['end-user', 'agent', 'admin']): string[] {
  const isBy = (author: number) => roles.includes(account.users.get(author)?.role ?? 'end-user')
  return [...account.tickets.values()]
    .filter(({ status }) => status !== 'deleted')
    .flatMap(({ id, comments }) =>
      comments.filter((one) => one.public && isBy(one.author)).map((comment) => `${id}:${comment.id}`),
    )
}

/** An event about the ticket of a comment, signed now. */
function eventOf(id: string, secret: string): ProviderRequest {
  const event = { type: 'zen:event-type:ticket.comment_added', id: randomUUID(), detail: { id: id.split(':')[0] } }
  const body = Buffer.from(JSON.stringify(event))
  const timestamp = new Date().toISOString()
  const signature = createHmac('sha256', secret).update(timestamp).update(body).digest('base64')
  const headers = {
    'x-zendesk-webhook-signature': signature,
    'x-zendesk-webhook-signature-timestamp': timestamp,
  }
  return { method: 'POST', headers, body }
}

export const source = world.sample(
  async () => {
    const sandbox = await openZendesk()
    fill(
      sandbox,
      many(30, (index) => (index % 10 === 0 ? 120 : 1 + (index % 3))),
    )
    return sandbox
  },
  (sandbox) => ({
    ids: () => idsOf(sandbox),
    add: () => {
      const id = sandbox.open(madeUp('one more', 1))
      // Zendesk exports nothing of the last minute.
      sandbox.advance(120)
      return `${id}:${sandbox.account.ticket(id).comments[0]?.id}`
    },
    agents: () => idsOf(sandbox, ['agent', 'admin']),
    event: (id) => ({ request: eventOf(id, 'signing-secret'), secrets: { webhook_secret: 'signing-secret' } }),
  }),
)

export const volume = world.volume(
  async (threads, messages) => {
    const sandbox = await openZendesk()
    fill(sandbox, minutesApart(many(threads, messages)))
    return sandbox
  },
  {
    least: (threads, messages) => Math.ceil(threads / 1000) + threads * Math.ceil(messages / 100),
    why: '1,000 tickets per page of the export, whose tickets have no comments: one request for each 100 comments of each ticket',
  },
)
