import type { Account } from './account.ts'
import { auditsOf } from './conversations.ts'
import {
  brandView,
  commentView,
  fieldView,
  groupView,
  type Json,
  organizationView,
  ticketView,
  usersView,
  userView,
} from './views.ts'

export type Reply = { status: number; body: Json | null }
/** `id`: the number or name in the path. `now` is in epoch milliseconds. */
export type Call = { account: Account; query: URLSearchParams; id: string; now: number; person: number }
export type Endpoint = {
  name: string
  method: string
  path: RegExp
  /** As in the official description. */
  template: string
  adminOnly?: boolean
  answer: (call: Call) => Reply
}

export const ok = (body: Json): Reply => ({ status: 200, body })
export const notFound = (): Reply => ({ status: 404, body: { error: 'RecordNotFound', description: 'Not found' } })
export const invalid = (description: string): Reply => ({ status: 400, body: { error: 'InvalidValue', description } })

const MAX_COMMENTS = 100
const MAX_TICKETS = 1000
const includes = (query: URLSearchParams, what: string) => (query.get('include') ?? '').split(',').includes(what)
const sizeOf = (asked: string | null, most: number) => Math.min(most, Math.max(1, Number(asked) || most))

function exportTickets({ account, query, now }: Call): Reply {
  const cursor = query.get('cursor')
  const start = query.get('start_time')
  const seconds = Math.floor(now / 1000)
  if (cursor === null && !/^\d{1,11}$/.test(start ?? '')) return invalid('Missing start_time')
  if (cursor === null && Number(start) > seconds - 60)
    return invalid('Too recent start_time. Use a start_time older than 60 seconds')
  const after = cursor ?? { start: Number(start) }
  // The last minute is never part of an export.
  const found = account.exports.page(after, seconds - 60, sizeOf(query.get('per_page'), MAX_TICKETS))
  if (found === null) return invalid('Invalid cursor')
  const { tickets, end } = found
  const organizations = account.organizations.filter(({ id }) =>
    tickets.some(({ organization }) => organization === id),
  )
  return ok({
    tickets: tickets.map((ticket) => ticketView(ticket, includes(query, 'comment_count'))),
    ...(includes(query, 'organizations') ? { organizations: organizations.map(organizationView) } : {}),
    after_cursor: found.cursor,
    after_url: `https://tallybrook.zendesk.com/api/v2/incremental/tickets/cursor.json?cursor=${found.cursor}`,
    before_cursor: null,
    before_url: null,
    end_of_stream: end,
  })
}

function listComments({ account, query, id }: Call): Reply {
  const ticket = account.tickets.get(Number(id))
  if (!ticket || ticket.status === 'deleted') return notFound()
  const page = cursorPage(ticket.comments, query)
  if (page === null) return invalid('page[after] is not valid')
  const { shown, meta } = page
  return ok({
    comments: shown.map(commentView),
    ...(includes(query, 'users')
      ? {
          users: usersView(
            account,
            shown.map(({ author }) => author),
          ),
        }
      : {}),
    meta,
    links: { next: null, prev: null },
  })
}

/** A part of a list with cursor pagination, 100 at a time; null for an invalid cursor. */
function cursorPage<T>(all: readonly T[], query: URLSearchParams): { shown: T[]; meta: Json } | null {
  const after = query.get('page[after]')
  const from = after === null ? 0 : Number(/^at:(\d+)~*$/.exec(Buffer.from(after, 'base64').toString())?.[1] ?? -1)
  if (from < 0) return null
  const shown = all.slice(from, from + sizeOf(query.get('page[size]'), MAX_COMMENTS))
  const cursor = Buffer.from(`at:${from + shown.length}`).toString('base64')
  const has_more = from + shown.length < all.length
  return { shown, meta: { has_more, after_cursor: cursor, before_cursor: after ?? cursor } }
}

function listAudits({ account, query, id }: Call): Reply {
  const ticket = account.tickets.get(Number(id))
  if (!ticket || ticket.status === 'deleted') return notFound()
  const page = cursorPage(auditsOf(ticket, account.users), query)
  if (page === null) return invalid('page[after] is not valid')
  return ok({ audits: page.shown, meta: page.meta, links: { next: null, prev: null } })
}

/** A list with offset pagination, 100 at a time. */
function list(key: string, items: readonly Json[], query: URLSearchParams): Reply {
  const page = Number(query.get('page') ?? 1)
  const next = page * 100 < items.length ? `https://tallybrook.zendesk.com/api/v2/${key}.json?page=${page + 1}` : null
  return ok({
    [key]: items.slice((page - 1) * 100, page * 100),
    count: items.length,
    next_page: next,
    previous_page: null,
  })
}

const idsOf = (query: URLSearchParams) => (query.get('ids') ?? '').split(',').slice(0, 100).map(Number)

/**
 * The count of a query such as `type:ticket updated>=2026-01-01T00:00:00Z updated<=…`, whose results are left out, or the people of one
 * such as `type:user name:"Ann"`.
 */
function search({ account, query }: Call): Reply {
  const asked = query.get('query') ?? ''
  const name = /^type:user name:"([^"]*)"$/.exec(asked)?.[1]?.toLowerCase()
  if (name !== undefined) {
    const found = [...account.users.values()].filter((user) => user.name.toLowerCase().includes(name))
    const results = found.map((user) => ({ ...userView(user), result_type: 'user' }))
    return ok({ count: results.length, facets: null, next_page: null, previous_page: null, results })
  }
  const bound = (sign: string) => Date.parse(new RegExp(`updated${sign}(\\S+)`).exec(asked)?.[1] ?? '')
  const [from, to] = [bound('>='), bound('<=')]
  const count = [...account.tickets.values()].filter(
    ({ updated, status }) => status !== 'deleted' && !(updated < from) && !(Math.floor(updated / 1000) * 1000 > to),
  ).length
  return ok({ count, facets: null, next_page: null, previous_page: null, results: [] })
}

const get = (name: string, template: string, answer: Endpoint['answer'], adminOnly = false): Endpoint => ({
  name,
  method: 'GET',
  path: new RegExp(`^${template.replace(/\{\w+\}/, '([\\w-]+)')}(?:\\.json)?$`),
  template,
  adminOnly,
  answer,
})

/** The calls that read. */
export const endpoints: readonly Endpoint[] = [
  get('incremental', '/api/v2/incremental/tickets/cursor', exportTickets, true),
  get('comments', '/api/v2/tickets/{ticket_id}/comments', listComments),
  get('audits', '/api/v2/tickets/{ticket_id}/audits', listAudits),
  get('ticket', '/api/v2/tickets/{ticket_id}', ({ account, id }) => {
    const ticket = account.tickets.get(Number(id))
    return ticket && ticket.status !== 'deleted' ? ok({ ticket: ticketView(ticket, false) }) : notFound()
  }),
  get('me', '/api/v2/users/me', ({ account, person }) => {
    const user = account.users.get(person)
    return user ? ok({ user: userView(user) }) : notFound()
  }),
  get('users', '/api/v2/users/show_many', ({ account, query }) => ok({ users: usersView(account, idsOf(query)) })),
  get('organizations', '/api/v2/organizations/show_many', ({ account, query }) => {
    const ids = new Set(idsOf(query))
    return ok({ organizations: account.organizations.filter(({ id }) => ids.has(id)).map(organizationView) })
  }),
  get('fields', '/api/v2/ticket_fields', ({ account, query }) =>
    list('ticket_fields', account.fields.map(fieldView), query),
  ),
  get('brands', '/api/v2/brands', ({ account, query }) => list('brands', account.brands.map(brandView), query), false),
  get('groups', '/api/v2/groups', ({ account, query }) => list('groups', account.groups.map(groupView), query)),
  get('search', '/api/v2/search', search),
]
