import { loadCompany } from '../company/company.ts'
import { answerConsent } from '../consent.ts'
import { FaultQueue } from '../faults.ts'
import { Clock, type Incoming, startProvider } from '../provider.ts'
import { sendJson } from '../server.ts'
import type { IntercomOptions, IntercomSandbox, LoggedCall } from './control.ts'
import { findEndpoint } from './endpoints.ts'
import { answerWrongly, type IntercomFault } from './faults.ts'
import { createMeter } from './limits.ts'
import { Notifications } from './notifications.ts'
import { type Reply, refuse } from './reply.ts'
import { createSignIns } from './sign-in.ts'
import { createWorkspace, WORKSPACE_ID } from './workspace.ts'

const ITEMS = ['search', 'conversation']

/** Starts an Intercom over real HTTP: consent page, OAuth, the API, and notifications. For tests. */
export async function startIntercom(options: IntercomOptions = {}): Promise<IntercomSandbox> {
  const { clientId = 'groundswell', clientSecret = 'sandbox-client-secret' } = options
  const { accessToken = 'sandbox-pasted-access-token', region = 'US', inclusive = false } = options
  const clock = new Clock(options.now)
  const { now } = clock
  const workspace = createWorkspace(options.company ?? loadCompany(), now)
  const signIns = createSignIns({ clientId, clientSecret }, accessToken)
  const notifications = new Notifications(clientSecret, now)
  const meter = createMeter(options.limit === undefined ? 1666 : options.limit, now)
  // Only a list has pages.
  const faults = new FaultQueue<IntercomFault>((name, kind) =>
    kind === 'empty-page' ? name === 'search' : ITEMS.includes(name),
  )
  const calls: LoggedCall[] = []
  const withdrawn = new Set<string>()
  let keep = false

  const handle = ({ request, response, method, url, body, values }: Incoming) => {
    const { pathname } = url
    response.setHeader('date', new Date(now()).toUTCString())
    if (pathname === '/oauth') return answerConsent(request, response, values, signIns)
    const route = findEndpoint(method, pathname)
    if (!route) return sendJson(response, refuse(404, 'not_found'))
    const json = body === '' ? null : (JSON.parse(body) as unknown)
    const { name, template, open, permission, answer } = route.endpoint
    const version = String(request.headers['intercom-version'] ?? '') || null
    const shown = name === 'grant' ? null : json
    const logged: LoggedCall = { name, method, template, version, json: shown, status: 0, answer: null }
    calls.push(logged)
    const good = (): Reply => {
      if (!open && !signIns.isValid(request.headers.authorization))
        return refuse(401, 'unauthorized', 'Access Token Invalid')
      if (permission !== null && withdrawn.has(permission))
        return refuse(401, 'token_unauthorized', 'Not authorized to access resource')
      return answer({ workspace, signIns, id: route.id, json, region, inclusive })
    }
    const fault = faults.take(name)
    if (fault === 'revoked') signIns.revokeAll()
    if (fault) return answerWrongly(fault, json, { request, response, good: () => good().body ?? {} })
    const { refused, headers } = meter.take()
    const reply = refused ? refuse(429, 'rate_limit_exceeded') : good()
    Object.assign(logged, { status: reply.status, answer: keep ? reply.body : null })
    sendJson(response, { ...reply, headers })
  }
  const provider = await startProvider(options, { clock, webhooks: notifications }, handle)
  const tell = (topic: string, id: string) => notifications.send(topic, workspace.conversation(id))
  return {
    ...provider,
    workspaceId: WORKSPACE_ID,
    clientId,
    clientSecret,
    accessToken,
    workspace,
    notifications,
    open(post) {
      const { id } = workspace.add(post)
      tell('conversation.user.created', id)
      return id
    },
    reply(conversation, post) {
      const { id, author, type } = workspace.reply(conversation, post)
      // A note has its own topic, which is not subscribed to.
      if (!/note/.test(type))
        tell(`conversation.${['admin', 'bot', 'team'].includes(author.type) ? 'admin' : 'user'}.replied`, conversation)
      return id
    },
    redact(conversation, part, left) {
      workspace.redact(conversation, part, left)
      tell('conversation_part.redacted', conversation)
    },
    remove(conversation) {
      const gone = workspace.conversation(conversation)
      workspace.remove(conversation)
      notifications.send('conversation.deleted', gone, { type: 'conversation', conversation_id: conversation })
    },
    calls: () => calls,
    keepBodies: (next) => {
      keep = next
    },
    withdraw: (permission) => {
      withdrawn.add(permission)
    },
    allow: (permission) => {
      withdrawn.delete(permission)
    },
    fault: (...given) => faults.add(...given),
    eventFault: notifications.fail,
    limit: (next) => meter.set(next),
  }
}
