import type * as http from 'node:http'
import { loadCompany } from '../company/company.ts'
import { answerConsent } from '../consent.ts'
import { FaultQueue } from '../faults.ts'
import { Clock, type Incoming, startProvider } from '../provider.ts'
import { sendJson } from '../server.ts'
import { createAccount } from './account.ts'
import type { HelpScoutOptions, HelpScoutSandbox, LoggedCall } from './control.ts'
import { findRoute, type Route } from './endpoints.ts'
import { answerWrongly, type HelpScoutFault } from './faults.ts'
import { createMeter } from './limits.ts'
import { notFound, type Reply } from './reply.ts'
import { CONSENT_PATH, createSignIns } from './sign-in.ts'
import { conversationView, type Json } from './views.ts'
import { Webhooks } from './webhooks.ts'

const ITEMS = new Set(['conversations', 'threads'])
const TWO_DAYS_SECONDS = 172_800

/** Starts a Help Scout over real HTTP: consent page, OAuth, the API under `/v2/`, and webhooks. For the demo and tests. */
export async function startHelpScout(options: HelpScoutOptions = {}): Promise<HelpScoutSandbox> {
  const { clientId = 'groundswell-app', clientSecret = 'sandbox-app-secret' } = options
  const { email = 'admin@tallybrook.example', lifetime = TWO_DAYS_SECONDS, limit = 400 } = options
  let redirectUrl = options.redirectUrl ?? ''
  const clock = new Clock(options.now)
  const { now } = clock
  const account = createAccount(options.company ?? loadCompany(), now)
  const signIns = createSignIns({ clientId, clientSecret }, () => redirectUrl, { now, lifetime })
  const webhooks = new Webhooks()
  const meter = createMeter(limit, now)
  const faults = new FaultQueue<HelpScoutFault>((name) => ITEMS.has(name))
  const calls: LoggedCall[] = []
  let keep = false
  let afterList: (() => void) | null = null

  const answer = (
    { endpoint, id }: Route,
    request: http.IncomingMessage,
    query: URLSearchParams,
    body: string,
  ): Reply => {
    if (endpoint.name === 'token') return signIns.grant(new URLSearchParams(body))
    if (!signIns.isValid(request.headers.authorization)) {
      return { status: 401, body: { error: 'invalid_token', error_description: 'The access token is invalid' } }
    }
    const json = body === '' ? {} : (JSON.parse(body) as Json)
    return endpoint.answer({ account, query, id, json, webhooks, email })
  }
  const handle = ({ request, response, method, url, body, values }: Incoming) => {
    const { pathname, searchParams } = url
    if (pathname === CONSENT_PATH) return answerConsent(request, response, values, signIns)
    const route = findRoute(method, pathname)
    if (!route) return send(response, notFound(), {})
    const { name, template } = route.endpoint
    const query = Object.fromEntries(searchParams)
    const logged: LoggedCall = {
      name,
      method,
      template,
      query,
      json: keep ? shown(name, body) : null,
      status: 0,
      answer: null,
    }
    calls.push(logged)
    const good = () => answer(route, request, searchParams, body)
    const fault = faults.take(name)
    if (fault === 'revoked') signIns.revokeAll()
    if (fault) return answerWrongly(fault, { request, response, good: () => good().body ?? {} })
    const { refused, headers } = meter.take(method !== 'GET')
    const reply = refused === null ? good() : { status: 429, body: { error: 'API rate limit exceeded' } }
    Object.assign(logged, { status: reply.status, answer: keep ? reply.body : null })
    if (name === 'conversations') afterList?.()
    send(response, reply, headers)
  }
  const provider = await startProvider(options, { clock, webhooks }, handle)
  const tell = (event: string, id: number) =>
    webhooks.send(event, event === 'convo.deleted' ? { id } : conversationView(account, account.conversation(id)))
  return {
    ...provider,
    clientId,
    clientSecret,
    email,
    account,
    webhooks,
    signIns,
    open(conversation) {
      const { id } = account.add(conversation)
      tell('convo.created', id)
      return id
    },
    write(conversation, post) {
      const { id } = account.write(conversation, post)
      const event = post.type === 'note' ? 'note' : post.as === 'user' ? 'agent.reply' : 'customer.reply'
      tell(`convo.${event}.created`, conversation)
      return id
    },
    remove(conversation) {
      account.change(conversation, { state: 'deleted' })
      tell('convo.deleted', conversation)
    },
    restore: (conversation) => account.change(conversation, { state: 'published' }),
    move(conversation, inbox) {
      account.move(conversation, inbox)
      tell('convo.moved', conversation)
    },
    merge(from, into) {
      account.merge(from, into)
      tell('convo.merged', into)
    },
    setRedirectUrl: (url) => {
      redirectUrl = url
    },
    afterList: (change) => {
      afterList = change
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

/** The body of a call as `calls` shows it: no secret of an app or a sign-in. */
function shown(name: string, body: string): unknown {
  if (body === '') return null
  if (name !== 'token') return JSON.parse(body) as unknown
  const form = Object.fromEntries(new URLSearchParams(body))
  return { ...form, client_secret: '…', ...('refresh_token' in form ? { refresh_token: '…' } : {}) }
}

function send(response: http.ServerResponse, reply: Reply, headers: Record<string, string>): void {
  const type = { 'content-type': 'application/hal+json; charset=utf-8' }
  sendJson(response, { ...reply, headers: { ...type, ...reply.headers, ...headers } })
}
