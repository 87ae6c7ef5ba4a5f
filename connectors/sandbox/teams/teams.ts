import type * as http from 'node:http'
import { loadCompany } from '../company/company.ts'
import { answerConsent } from '../consent.ts'
import { FaultQueue } from '../faults.ts'
import { bearerOf } from '../grants.ts'
import { Clock, type Incoming, startProvider } from '../provider.ts'
import { sendJson } from '../server.ts'
import type { LoggedCall, TeamsOptions, TeamsSandbox } from './control.ts'
import { findEndpoint } from './endpoints.ts'
import { ALL, configuration, consentOf, type Entra, grantToken } from './entra.ts'
import { answerWrongly, type TeamsFault } from './faults.ts'
import { failed, notFound, type Reply } from './lists.ts'
import { Subscribers } from './subscribers.ts'
import { createTenant, DOMAIN, TENANT_ID } from './tenant.ts'
import type { Json } from './views.ts'

const ITEMS = new Set(['delta', 'messages', 'replies'])
const CLIENT_ID = '3b1f4c1e-9a53-4a52-9c06-0f3a3b8f1d02'

/** Starts a Microsoft Graph with Entra over real HTTP: admin consent, tokens, channels and notifications. For the demo and tests. */
export async function startTeams(options: TeamsOptions = {}): Promise<TeamsSandbox> {
  const { clientId = CLIENT_ID, clientSecret = 'sandbox~client~secret' } = options
  const { consented = true, lifetime = 3600, pageSize = 50, expanded = 1000 } = options
  const clock = new Clock(options.now)
  const { now } = clock
  const tenant = createTenant(options.company ?? loadCompany(), now)
  const entra: Entra = { clientId, clientSecret, consented, granted: new Set(ALL), tokens: new Map() }
  const subscribers = new Subscribers(now)
  const faults = new FaultQueue<TeamsFault>((name) => ITEMS.has(name))
  const calls: LoggedCall[] = []
  let refusesDelta = false
  let expired = 0
  let issued = 0

  const graph = async (request: http.IncomingMessage, response: http.ServerResponse, url: URL, body: string) => {
    const path = url.pathname.slice('/v1.0'.length)
    const found = findEndpoint(request.method ?? '', path)
    if (!found) return send(response, notFound(), now())
    const { endpoint, ids } = found
    const { name, method, template, permission } = endpoint
    const json = body === '' ? null : (JSON.parse(body) as Json)
    const query = Object.fromEntries(url.searchParams)
    const logged: LoggedCall = { name, method, template, query, json, status: 0, answer: null }
    calls.push(logged)
    const fault = faults.take(name)
    if (fault === 'revoked') revokeAll()
    const isOver = (entra.tokens.get(bearerOf(request.headers.authorization)) ?? 0) <= now()
    const base = `https://graph.microsoft.com${url.pathname}`
    const answer = async (): Promise<Reply> => {
      if (isOver) return failed(401, 'InvalidAuthenticationToken', 'Access token has expired or is not yet valid.')
      if (permission !== null && !entra.granted.has(permission)) {
        const message = `Missing role permissions on the request. API requires one of '${permission}'.`
        return failed(403, 'Forbidden', message)
      }
      const listed = { tenant, query: url.searchParams, base, pageSize, expanded, expired }
      return await endpoint.answer({ ...listed, ids, json: json ?? {}, subscribers, refusesDelta })
    }
    // A call that changes something and fails has no effect.
    const reply = fault && method !== 'GET' ? notFound() : await answer()
    if (fault) return answerWrongly(fault, { request, response, good: () => reply.body ?? {} })
    Object.assign(logged, { status: reply.status, answer: reply.body })
    send(response, reply, now())
  }
  const handle = async ({ request, response, url, body, values }: Incoming) => {
    if (url.pathname.startsWith('/v1.0/')) return await graph(request, response, url, body)
    const [, name = '', ...rest] = url.pathname.split('/')
    if (rest.join('/') === 'adminconsent') {
      return answerConsent(request, response, values, consentOf(entra, name))
    }
    if (rest.join('/') === 'v2.0/.well-known/openid-configuration') return send(response, configuration(name), now())
    if (rest.join('/') !== 'oauth2/v2.0/token') return send(response, notFound(), now())
    const reply = grantToken(entra, name, values, { now: now(), lifetime })
    if (reply.status === 200) issued += 1
    send(response, reply, now())
  }
  const revokeAll = () => {
    entra.tokens.clear()
    entra.consented = false
  }
  const provider = await startProvider(options, { clock, webhooks: subscribers }, handle)
  return {
    ...provider,
    tenantId: TENANT_ID,
    domain: DOMAIN,
    clientId,
    clientSecret,
    tenant,
    subscribers,
    post(post) {
      const made = tenant.post(post)
      subscribers.send('created', made)
      return made.id
    },
    edit: (id, text) => subscribers.send('updated', tenant.edit(id, text)),
    remove: (id) => subscribers.send('deleted', tenant.remove(id)),
    withdraw: (permission) => void entra.granted.delete(permission),
    revokeAll,
    refuseDelta: (refused) => {
      refusesDelta = refused
    },
    expireDelta: () => {
      expired = Math.max(0, ...tenant.messages.map(({ change }) => change)) + 1
    },
    calls: () => calls,
    issued: () => issued,
    fault: (...given) => faults.add(...given),
    eventFault: subscribers.fail,
  }
}

function send(response: http.ServerResponse, reply: Reply, now: number): void {
  sendJson(response, { ...reply, headers: { date: new Date(now).toUTCString() } })
}
