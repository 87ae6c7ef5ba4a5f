import type * as http from 'node:http'
import { answerConsent } from '../consent.ts'
import { Clock, type Incoming, type PathCall, type Provider, type ProviderOptions, startProvider } from '../provider.ts'
import { sendJson } from '../server.ts'
import { Faults } from './faults.ts'
import { routeOf } from './routes.ts'
import { SignIns } from './sign-in.ts'
import { type Json, missing, type Resolution, Site } from './site.ts'
import { Webhooks } from './webhooks.ts'

/** `template`: null for anything that is not Jira's API. */
type Call = PathCall<string | null>

export type JiraSandbox = Provider & {
  /** The first is that of the API token. */
  sites: readonly [Site, Site]
  signIns: SignIns
  webhooks: Webhooks
  faults: Faults
  calls: Call[]
  /** Changes of people in Jira, with their webhooks. */
  close(id: string, name?: string, site?: Site): void
  /** Closes an issue, in this status, with this resolution. Null: the project has none. */
  resolve(id: string, resolution: Resolution | null, status?: string, site?: Site): void
  reopen(id: string, site?: Site): void
  remove(id: string, site?: Site): void
  /** Moves an issue to where the sign-in does not see it. */
  hide(id: string, site?: Site): void
}

/** A stand-in for Jira Cloud on loopback: consent page, tokens, the REST API of two sites, and dynamic webhooks. */
export async function startJira(options: ProviderOptions = {}): Promise<JiraSandbox> {
  const clock = new Clock()
  const { now } = clock
  const first = new Site('11111111-aaaa-4bbb-8ccc-000000000001', 'Fernweh', 'fernweh.atlassian.net')
  const second = new Site('22222222-aaaa-4bbb-8ccc-000000000002', 'Fernweh Labs', 'fernweh-labs.atlassian.net')
  const signIns = new SignIns([first], now)
  const webhooks = new Webhooks(now, signIns.clientSecret)
  const faults = new Faults()
  const calls: Call[] = []

  const api = (
    site: Site,
    call: Call,
    request: http.IncomingMessage,
    response: http.ServerResponse,
    isCloud: boolean,
  ) => {
    const send = (status: number, body: unknown, headers: Record<string, string> = {}) => {
      Object.assign(call, { status, answer: body })
      sendJson(response, { status, body, headers })
    }
    const path = call.path.replace(/^\/ex\/jira\/[^/]+/, '')
    const found = routeOf(call.method, path)
    call.template = found?.route.template ?? null
    const holder = signIns.holder(request.headers.authorization, isCloud)
    if (!holder && signIns.anonymous) {
      const empty = { issues: [], isLast: true, issueErrors: [], values: [] }
      return send(200, empty, { 'x-seraph-loginreason': 'AUTHENTICATED_FAILED' })
    }
    if (!holder) return send(401, { code: 401, message: 'Unauthorized' })
    const status = faults.before(response)
    if (status !== null) return void Object.assign(call, { status })
    if (!found) return send(404, missing('null for uri').body)
    const { route, params } = found
    const isHook = route.scope === 'manage:jira-webhook'
    if (holder.scopes === null && isHook) {
      return send(403, { errorMessages: ['Only Connect and OAuth 2.0 apps can use this operation.'], errors: {} })
    }
    if (holder.scopes?.includes(route.scope) === false) {
      return send(401, { code: 401, message: 'Unauthorized; scope does not match' })
    }
    const count = site.issues.length
    const body = (call.json ?? {}) as Json
    const answer = route.answer({ site, params, query: call.query, body, webhooks })
    if (site.issues.length > count && faults.afterCreation(response)) return
    if (call.method === 'POST' && route.template.endsWith('/transitions') && answer.status === 204) {
      webhooks.send(site, site.known(params[0] ?? ''), 'status')
    } else if (call.method === 'PUT' && route.template.endsWith('{issueIdOrKey}') && answer.status === 204) {
      webhooks.send(site, site.known(params[0] ?? ''), 'description')
    }
    send(answer.status, answer.body)
  }
  const handle = ({ request, response, method, url, body, values }: Incoming): void => {
    const { pathname: path, searchParams } = url
    const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true
    const json: unknown = body === '' || isForm ? null : JSON.parse(body)
    const call: Call = {
      method,
      path,
      template: null,
      query: Object.fromEntries(searchParams),
      json,
      status: 0,
      answer: null,
    }
    calls.push(call)
    const [, cloud] = /^\/ex\/jira\/([^/]+)\//.exec(path) ?? []
    if (path === '/authorize') return answerConsent(call, response, values, signIns)
    if (path === '/oauth/token') return sendJson(response, signIns.exchange((json ?? {}) as Json))
    if (path === '/oauth/token/accessible-resources') {
      const holder = signIns.holder(request.headers.authorization, true)
      const unauthorized = { status: 401, body: { code: 401, message: 'Unauthorized' } }
      return sendJson(response, holder ? signIns.resources() : unauthorized)
    }
    const site = cloud === undefined ? first : signIns.sites.find(({ id }) => id === cloud)
    if (!site) return sendJson(response, { status: 404, body: { code: 404, message: 'No site' } })
    if (site.suspended) {
      response.writeHead(404, { 'content-type': 'text/html' }).end('<html>Your site is currently unavailable</html>')
      return void Object.assign(call, { status: 404 })
    }
    return api(site, call, request, response, cloud !== undefined)
  }
  const provider = await startProvider(options, { clock, webhooks }, handle)
  return {
    ...provider,
    sites: [first, second],
    signIns,
    webhooks,
    faults,
    calls,
    close(id, name = 'Done', site = first) {
      const issue = Object.assign(site.known(id), { status: site.statusOf('done', name) })
      webhooks.send(site, issue, 'status')
    },
    resolve(id, resolution, status = 'Done', site = first) {
      const issue = Object.assign(site.known(id), { status: site.statusOf('done', status), resolution })
      webhooks.send(site, issue, 'resolution')
    },
    reopen(id, site = first) {
      const issue = Object.assign(site.known(id), { status: site.statusOf('indeterminate'), resolution: null })
      webhooks.send(site, issue, 'status')
    },
    remove(id, site = first) {
      const [issue] = site.issues.splice(site.issues.indexOf(site.known(id)), 1)
      if (issue) webhooks.send(site, issue, null)
    },
    hide(id, site = first) {
      site.known(id).visible = false
    },
  }
}
