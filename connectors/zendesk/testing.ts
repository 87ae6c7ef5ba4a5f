import { createHmac, randomUUID } from 'node:crypto'
import type { ProviderRequest } from '../connector.ts'
import type { SourceSample, SourceVolume } from '../kit/sample.ts'
import { connected, drainOf, type GivenContext, stopping, testContext } from '../kit/testing.ts'
import type { CommentPost, TicketPost } from '../sandbox/zendesk/account.ts'
import type { ZendeskOptions, ZendeskSandbox } from '../sandbox/zendesk/control.ts'
import type { Role } from '../sandbox/zendesk/records.ts'
import { startZendesk } from '../sandbox/zendesk/zendesk.ts'
import { check } from './check.ts'
import { pull } from './pull.ts'

const HOUR_MS = 3_600_000

/** A ticket that a customer opens and an agent answers, with as many public comments in turn. */
export function madeUp(name: string, comments: number): TicketPost {
  return {
    subject: `Subject of ${name}`,
    comments: Array.from({ length: comments }, (_, index): CommentPost => {
      const author = index % 2 === 0 ? `Person ${name}` : 'Agent Ash'
      return { author, as: index % 2 === 0 ? 'end-user' : 'agent', text: `customer words ${name}-${index}` }
    }),
  }
}

/** A sandbox without tickets and limits, that stops automatically at the end of a test. */
export const openZendesk = async (options: ZendeskOptions = {}) =>
  stopping(await startZendesk({ company: [], limits: { account: null, incremental: null }, ...options }))

/** Opens tickets an hour apart, all of them old enough to be exported. Returns their ids. */
export function fill(sandbox: ZendeskSandbox, tickets: readonly TicketPost[], now = Date.now()): number[] {
  return tickets.map((ticket, index) => sandbox.open({ at: now - (tickets.length - index) * HOUR_MS, ...ticket }))
}

/** A context for a sandbox, not signed in yet. */
export const contextFor = (sandbox: ZendeskSandbox, given: GivenContext = {}) =>
  testContext({
    baseUrl: sandbox.url,
    secrets: { api_token: sandbox.apiToken },
    ...given,
    settings: { subdomain: sandbox.subdomain, email: sandbox.email, ...given.settings },
  })

/** A context that is connected with an API token as the core does. */
export const signedIn = (sandbox: ZendeskSandbox, given: GivenContext = {}) =>
  connected(contextFor(sandbox, given), check, given.settings)

export const drain = drainOf(pull)

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

export const source: SourceSample = async () => {
  const sandbox = await openZendesk()
  fill(
    sandbox,
    Array.from({ length: 30 }, (_, index) => madeUp(`t-${index}`, index % 10 === 0 ? 120 : 1 + (index % 3))),
  )
  return {
    baseUrl: sandbox.url,
    form: { subdomain: sandbox.subdomain, email: sandbox.email, api_token: sandbox.apiToken },
    ids: () => idsOf(sandbox),
    words: ['customer words', 'Person', 'Subject of'],
    fault: (kind) => sandbox.fault(kind),
    add: () => {
      const id = sandbox.open(madeUp('one more', 1))
      // Zendesk exports nothing of the last minute.
      sandbox.advance(120)
      return `${id}:${sandbox.account.ticket(id).comments[0]?.id}`
    },
    agents: () => idsOf(sandbox, ['agent', 'admin']),
    event: (id) => ({ request: eventOf(id, 'signing-secret'), secrets: { webhook_secret: 'signing-secret' } }),
    [Symbol.asyncDispose]: () => sandbox.stop(),
  }
}

export const volume: SourceVolume = async (threads, messages) => {
  const sandbox = await openZendesk()
  const posts = Array.from({ length: threads }, (_, index) => ({
    ...madeUp(`c-${index}`, messages),
    at: Date.now() - HOUR_MS - (threads - index) * 60_000,
  }))
  fill(sandbox, posts)
  return {
    baseUrl: sandbox.url,
    form: { subdomain: sandbox.subdomain, email: sandbox.email, api_token: sandbox.apiToken },
    least: Math.ceil(threads / 1000) + threads * Math.ceil(messages / 100),
    why: '1,000 tickets per page of the export, whose tickets have no comments: one request for each 100 comments of each ticket',
    calls: () => sandbox.calls().length,
    [Symbol.asyncDispose]: () => sandbox.stop(),
  }
}
