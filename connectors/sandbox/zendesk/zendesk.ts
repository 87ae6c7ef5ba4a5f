import type * as http from 'node:http'
import { loadCompany } from '../company/company.ts'
import { answerConsent } from '../consent.ts'
import { FaultQueue } from '../faults.ts'
import { Clock, type Incoming, startProvider } from '../provider.ts'
import { sendJson } from '../server.ts'
import { createAccount, SUBDOMAIN } from './account.ts'
import type { LoggedCall, ZendeskOptions, ZendeskSandbox } from './control.ts'
import { notFound, type Reply } from './endpoints.ts'
import { answerWrongly, type ZendeskFault } from './faults.ts'
import { createMeter } from './limits.ts'
import type { Role } from './records.ts'
import { findRoute, type Route } from './routes.ts'
import { createSignIns } from './sign-in.ts'
import { Webhooks } from './webhooks.ts'

const ITEMS = new Set(['incremental', 'comments'])

/** Starts a Zendesk over real HTTP: consent page, OAuth, the API under `/api/v2/`, and webhooks. For the demo and tests. */
export async function startZendesk(options: ZendeskOptions = {}): Promise<ZendeskSandbox> {
  const { clientId = 'groundswell', clientSecret = 'sandbox-client-secret' } = options
  const { email = 'admin@tallybrook.example', apiToken = 'sandbox-pasted-api-token', lifetime = 7200 } = options
  const clock = new Clock(options.now)
  const { now } = clock
  const account = createAccount(options.company ?? loadCompany(), now)
  const person = { id: 1, name: 'Ada Admin', email, role: 'admin' as Role, organization: null }
  account.users.set(person.id, person)
  const signIns = createSignIns({ clientId, clientSecret }, { email, apiToken }, { now, lifetime })
  const webhooks = new Webhooks(now)
  const meter = createMeter(options.limits ?? { account: 700, incremental: 10 }, now)
  const faults = new FaultQueue<ZendeskFault>((name) => ITEMS.has(name))
  const calls: LoggedCall[] = []
  let keep = false

  const answer = (route: Route, request: http.IncomingMessage, query: URLSearchParams, json: unknown): Reply => {
    const { endpoint, id } = route
    if (endpoint.name === 'grant') return signIns.grant((json ?? {}) as Record<string, unknown>)
    const holder = signIns.holder(request.headers.authorization)
    if (holder === null) return { status: 401, body: { error: 'Couldn’t authenticate you' } }
    const missing = holder.scopes && endpoint.scopes.find((scope) => !holder.scopes?.includes(scope))
    if (missing) {
      const description = `You are missing the following required scopes: ${missing}`
      return { status: 403, body: { error: 'Forbidden', description } }
    }
    if (endpoint.adminOnly && person.role !== 'admin') {
      return { status: 403, body: { error: { title: 'Forbidden', message: 'You do not have access to this page.' } } }
    }
    return endpoint.answer({ account, query, id, now: now(), person: person.id, json, signIns, webhooks })
  }
  const handle = ({ request, response, method, url, body, values }: Incoming) => {
    const { pathname, searchParams } = url
    if (pathname === '/oauth/authorizations/new') return answerConsent(request, response, values, signIns)
    const route = findRoute(method, pathname)
    if (!route) return sendJson(response, notFound())
    const json = body === '' ? null : (JSON.parse(body) as unknown)
    const { name, template } = route.endpoint
    const shown = name === 'grant' ? { ...(json as object), client_secret: '…', refresh_token: '…' } : json
    const query = Object.fromEntries(searchParams)
    const logged: LoggedCall = { name, method, template, query, json: keep ? shown : null, status: 0, answer: null }
    calls.push(logged)
    const good = () => answer(route, request, searchParams, json)
    const fault = faults.take(name)
    if (fault === 'revoked') signIns.revokeAll()
    if (fault) return answerWrongly(fault, { request, response, good: () => good().body ?? {} })
    const { refused, headers } = meter.take(name === 'incremental')
    const tooMany = { error: 'APIRateLimitExceeded', description: 'Number of allowed API requests per minute exceeded' }
    const reply = refused === null ? good() : { status: 429, body: tooMany }
    Object.assign(logged, { status: reply.status, answer: keep ? reply.body : null })
    sendJson(response, { ...reply, headers })
  }
  const provider = await startProvider(options, { clock, webhooks }, handle)
  const tell = (type: string, id: number, event?: Record<string, unknown>) =>
    webhooks.send(type, account.ticket(id), event)
  return {
    ...provider,
    subdomain: SUBDOMAIN,
    clientId,
    clientSecret,
    email,
    apiToken,
    account,
    webhooks,
    signIns,
    open(ticket) {
      const { id } = account.add(ticket)
      tell('created', id)
      return id
    },
    comment(ticket, post) {
      const { id } = account.comment(ticket, post)
      tell('comment_added', ticket, { comment: { id: String(id) } })
      return id
    },
    redact(ticket, comment, words) {
      account.redact(ticket, comment, words)
      tell('comment_redacted', ticket, { comment: { id: String(comment) } })
    },
    makePrivate(ticket, comment) {
      account.makePrivate(ticket, comment)
      tell('comment_made_private', ticket, { comment: { id: String(comment) } })
    },
    remove(ticket) {
      account.change(ticket, { status: 'deleted' })
      tell('soft_deleted', ticket)
    },
    restore(ticket) {
      account.change(ticket, { status: 'open' })
      tell('undeleted', ticket)
    },
    setRole: (role) => {
      person.role = role
    },
    calls: () => calls,
    keepBodies: (next) => {
      keep = next
    },
    fault: (...given) => faults.add(...given),
    eventFault: webhooks.fail,
    limit: (next) => meter.set(next),
  }
}
