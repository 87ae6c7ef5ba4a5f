import type { Account } from './account.ts'
import type { StoredConversation } from './records.ts'
import { invalid, notFound, ok, type Reply } from './reply.ts'
import { conversationView, type Json, mailboxView, pageView, threadView, userView } from './views.ts'
import type { Webhooks } from './webhooks.ts'

/** `id`: the number in the path. */
type Call = { account: Account; query: URLSearchParams; id: number; json: Json; webhooks: Webhooks; email: string }
/** `template`: the path as in the description. */
type Endpoint = { name: string; method: string; template: string; answer: (call: Call) => Reply }
export type Route = { endpoint: Endpoint; id: number }

const COMPANY_ID = 4
const CONVERSATIONS = 25
const OTHERS = 50
const STATUSES = ['active', 'all', 'closed', 'open', 'pending', 'spam']

const pageOf = (query: URLSearchParams) => Math.max(1, Number(query.get('page') ?? 1))

/** By default only active conversations are listed, and newest first. */
function listConversations({ account, query }: Call): Reply {
  const status = query.get('status') ?? 'active'
  const since = query.get('modifiedSince')
  if (!STATUSES.includes(status)) return invalid('status is not valid')
  if (since !== null && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(since)) return invalid('modifiedSince is not valid')
  const field = query.get('sortField') ?? 'createdAt'
  if (!['createdAt', 'modifiedAt'].includes(field)) return invalid('sortField is not valid')
  const mailbox = query.get('mailbox')
  const at = (one: StoredConversation) => (field === 'modifiedAt' ? one.modified : one.created)
  const sign = query.get('sortOrder') === 'asc' ? 1 : -1
  const found = account
    .listed()
    .filter((one) => status === 'all' || one.status === status)
    .filter((one) => mailbox === null || String(one.mailbox) === mailbox)
    .filter((one) => since === null || one.modified >= Date.parse(since))
    .toSorted((a, b) => sign * (at(a) - at(b) || a.id - b.id))
    .map((one) => conversationView(account, one))
  return ok(pageView('conversations', 'conversations', found, pageOf(query), CONVERSATIONS))
}

function getConversation({ account, id }: Call): Reply {
  const found = account.conversations.get(id)
  if (!found || found.state === 'deleted') return notFound()
  if (found.mergedInto === null) return ok(conversationView(account, found))
  return { status: 301, body: null, headers: { location: `/v2/conversations/${found.mergedInto}` } }
}

/** Newest first. */
function listThreads({ account, id, query }: Call): Reply {
  const found = account.conversations.get(id)
  if (!found || found.state === 'deleted' || found.mergedInto !== null) return notFound()
  const threads = found.threads
    .toSorted((a, b) => b.created - a.created || b.id - a.id)
    .map((thread) => threadView(account, found, thread))
  return ok(pageView('threads', `conversations/${id}/threads`, threads, pageOf(query), OTHERS))
}

const on = (name: string, method: string, template: string, answer: Endpoint['answer']): Endpoint => ({
  name,
  method,
  template,
  answer,
})

const all: readonly Endpoint[] = [
  on('token', 'POST', '/v2/oauth2/token', notFound),
  on('me', 'GET', '/v2/users/me', ({ email }) => ok(userView(email, COMPANY_ID))),
  on('mailboxes', 'GET', '/v2/mailboxes', ({ account, query }) =>
    ok(pageView('mailboxes', 'mailboxes', account.inboxes.map(mailboxView), pageOf(query), OTHERS)),
  ),
  on('conversations', 'GET', '/v2/conversations', listConversations),
  on('conversation', 'GET', '/v2/conversations/{conversationId}', getConversation),
  on('threads', 'GET', '/v2/conversations/{conversationId}/threads', listThreads),
  on('webhooks', 'GET', '/v2/webhooks', ({ webhooks, query }) =>
    ok(pageView('webhooks', 'webhooks', webhooks.views(), pageOf(query), OTHERS)),
  ),
  on('create webhook', 'POST', '/v2/webhooks', ({ webhooks, json }) => webhooks.create(json)),
  on('delete webhook', 'DELETE', '/v2/webhooks/{webhookId}', ({ webhooks, id }) => webhooks.remove(id)),
]

const routes = all.map((endpoint) => ({
  endpoint,
  path: new RegExp(`^${endpoint.template.replace(/\{\w+\}/, '(\\d+)')}$`),
}))

/** The call of a path, with the number in it; null for none. */
export function findRoute(method: string, path: string): Route | null {
  for (const { endpoint, path: pattern } of routes) {
    const found = endpoint.method === method ? pattern.exec(path) : null
    if (found) return { endpoint, id: Number(found[1] ?? 0) }
  }
  return null
}
