import type * as http from 'node:http'
import { answerConsent } from '../consent.ts'
import { Clock, type Incoming, type PathCall, type Provider, type ProviderOptions, startProvider } from '../provider.ts'
import { sendJson } from '../server.ts'
import type { TrackerFaults } from '../tracker-faults.ts'
import { consentAt } from './consent.ts'
import { findEndpoint } from './endpoints.ts'
import { Hub, type Issue, type Repository } from './hub.ts'
import { createFaults, Limits } from './limits.ts'
import { notFound, type Reply, refuse } from './reply.ts'
import { type Installation, SignIns } from './sign-in.ts'
import { fullName } from './views.ts'
import { Webhooks } from './webhooks.ts'

/** `enterprise`: the version of GitHub Enterprise Server that it is; absent: GitHub.com. */
export type GitHubOptions = ProviderOptions & { enterprise?: string }

const SERVER_API = '/api/v3'
export type GitHubSandbox = Provider & {
  hub: Hub
  signIns: SignIns
  limits: Limits
  faults: TrackerFaults
  webhooks: Webhooks
  /** Every request that was answered, in order. `template`: '' for what GitHub's description does not have. */
  calls: PathCall[]
  /** The path of every request, as it was sent. */
  paths: string[]
  /** What people do on GitHub, with its webhooks. */
  setState(id: string, state: Issue['state'], reason: string | null): void
  remove(id: string): void
  transfer(id: string, target: Repository): Issue
  suspend(installation: Installation): void
  uninstall(installation: Installation): void
}

/** A stand-in for GitHub on loopback: its pages for people, and its REST API with the documented limits. */
export async function startGitHub(options: GitHubOptions = {}): Promise<GitHubSandbox> {
  const { enterprise } = options
  const clock = new Clock()
  let base = ''
  const { now } = clock
  const hub = new Hub(now)
  const signIns = new SignIns(hub)
  const limits = new Limits(now)
  const faults = createFaults()
  const webhooks = new Webhooks(hub, signIns)
  const calls: PathCall[] = []
  const paths: string[] = []

  const api = (request: http.IncomingMessage, url: URL, body: string, response: http.ServerResponse): void => {
    const method = request.method ?? ''
    const json: unknown = body === '' ? null : JSON.parse(body)
    const call: PathCall = {
      method,
      path: url.pathname,
      template: '',
      query: Object.fromEntries(url.searchParams),
      json,
      status: 0,
      answer: null,
    }
    calls.push(call)
    const answer = (reply: Reply) => {
      Object.assign(call, { status: reply.status, answer: reply.body })
      const body = enterprise ? withPages(reply.body, base) : reply.body
      sendJson(response, { ...reply, body, headers: { ...limits.headers(), ...reply.headers } })
    }
    const found = findEndpoint(method, pathBehindId(hub, url.pathname))
    if (found && !url.pathname.startsWith('/repositories/')) call.template = found.endpoint.template
    const caller = signIns.callerOf(request.headers.authorization)
    if (!caller) return answer(refuse(401, 'Bad credentials'))
    if (faults.before(response) !== null) return
    const moved = redirectOf(hub, base, method, url)
    if (moved) return answer(moved)
    if (!found) return answer(notFound())
    const isContent = method === 'POST' && found.endpoint.template.includes('/issues')
    const refused = limits.refusal(isContent)
    if (refused) return answer(refused)
    if (!found.endpoint.callers.includes(caller.is))
      return answer(refuse(403, 'Resource not accessible by integration'))
    const { params } = found
    const reply = found.endpoint.answer({ base, hub, signIns, caller, params, query: url.searchParams, json })
    const isCreated = reply.status === 201 && found.endpoint.template.endsWith('/issues')
    if (isCreated && faults.afterCreation(response)) return
    answer(reply)
  }
  const handle = ({ request, response, method, url, body, values }: Incoming): void => {
    paths.push(url.pathname)
    if (enterprise) {
      if (!url.pathname.startsWith(`${SERVER_API}/`)) return sendJson(response, notFound())
      url.pathname = url.pathname.slice(SERVER_API.length)
      if (url.pathname === '/meta') return sendJson(response, { status: 200, body: { installed_version: enterprise } })
    }
    if (method === 'POST' && url.pathname === '/login/oauth/access_token') {
      return sendJson(response, { status: 200, body: signIns.exchange(values) })
    }
    if (/^\/(?:apps|login\/oauth)\//.test(url.pathname)) {
      return answerConsent(request, response, values, consentAt(signIns, url.pathname))
    }
    api(request, url, body, response)
  }
  const provider = await startProvider(options, { clock, webhooks }, handle)
  base = enterprise ? `${provider.url}${SERVER_API}` : provider.url
  return {
    ...provider,
    hub,
    signIns,
    limits,
    faults,
    webhooks,
    calls,
    paths,
    setState(id, state, reason) {
      hub.setState(id, state, reason)
      webhooks.issue(base, state === 'open' ? 'reopened' : 'closed', hub.locate(id))
    },
    remove(id) {
      const found = hub.locate(id)
      hub.remove(id)
      webhooks.issue(base, 'deleted', found)
    },
    transfer(id, target) {
      const from = hub.locate(id)
      const issue = hub.transfer(id, target)
      webhooks.issue(base, 'transferred', from, { repository: target, issue })
      return issue
    },
    suspend(installation) {
      installation.suspended = true
      webhooks.installation(base, 'suspend', installation)
    },
    uninstall(installation) {
      signIns.uninstall(installation)
      webhooks.installation(base, 'deleted', installation)
    },
  }
}

/** Pages for people are on the host of a server, not under its API. */
function withPages(body: unknown, base: string): unknown {
  const origin = base.slice(0, -SERVER_API.length)
  const moved = (key: string, value: unknown) =>
    key === 'html_url' && typeof value === 'string' ? value.replace(base, origin) : value
  return body === undefined ? body : JSON.parse(JSON.stringify(body), moved)
}

/** The address by id of a repository that was renamed: 301 for reading, 307 for everything else. */
function redirectOf(hub: Hub, base: string, method: string, url: URL): Reply | null {
  const [, name = '', rest = ''] = /^\/repos\/([^/]+\/[^/]+)(.*)$/.exec(url.pathname) ?? []
  const repository = hub.find(name) ? undefined : hub.findFormer(name)
  if (!repository) return null
  const location = `${base}/repositories/${repository.id}${rest}${url.search}`
  const message = method === 'GET' ? 'Moved Permanently' : 'Temporary Redirect'
  return { status: method === 'GET' ? 301 : 307, body: { message, url: location }, headers: { location } }
}

/** Redirects lead to `/repositories/{id}/…`, which answers like the address by name. */
function pathBehindId(hub: Hub, path: string): string {
  const [, id, rest = ''] = /^\/repositories\/(\d+)(.*)$/.exec(path) ?? []
  const repository = hub.repositories.find((one) => String(one.id) === id)
  return repository ? `/repos/${fullName(repository)}${rest}` : path
}
