import type * as http from 'node:http'
import { answerConsent } from '../consent.ts'
import { Clock, type Incoming, type PathCall, type Provider, type ProviderOptions, startProvider } from '../provider.ts'
import { sendJson } from '../server.ts'
import { Account, type Project } from './account.ts'
import { Faults } from './faults.ts'
import { Hooks } from './hooks.ts'
import { AzureError, errorBody } from './refuse.ts'
import { matchTemplate, routesOf } from './routes.ts'
import { SignIns } from './sign-in.ts'
import { requireVersion, type ServerVersion } from './versions.ts'

/** `template`, `json` and `answer` of the API only: its path in the description, and the bodies of successful calls. */
type Call = PathCall<string | null>

/**
 * `server`: it is an Azure DevOps Server with this collection and newest version of the API, such as `7.0`; absent: Azure DevOps Services.
 */
export type AzureOptions = ProviderOptions & { server?: { collection: string; version: ServerVersion } }

/** The virtual directory in which a server has its collections. */
const SERVER_PATH = '/tfs'

/** The `url` of a server is that with its virtual directory. */
export type AzureSandbox = Provider & {
  /** The address of the collection of a server; null: it is Azure DevOps Services. */
  collectionUrl: string | null
  /** The newest version of a server's API. */
  version: ServerVersion | null
  account: Account
  signIns: SignIns
  hooks: Hooks
  faults: Faults
  /** Every request so far. */
  calls: Call[]
  /** Changes of people in Azure DevOps, with their service hooks. */
  /** Without a reason, the API omits it. */
  setState(id: number, state: string, reason?: string): void
  remove(id: number): void
  /** To another project, as Azure DevOps does it: the id stays, the state is the first one of the type there. */
  move(id: number, to: Project): void
  /** Takes the right to read it from the sign-in. */
  hide(id: number): void
}

/** A stand-in for Azure DevOps and Microsoft Entra on loopback: consent page, tokens, the API and service hooks. */
export async function startAzure(options: AzureOptions = {}): Promise<AzureSandbox> {
  const { server: own } = options
  const clock = new Clock()
  const account = new Account(own?.collection ?? 'fabrikam')
  const hooks = new Hooks(account, () => (own ? world.url : 'https://dev.azure.com'))
  const signIns = new SignIns(account.person.displayName, clock.now)
  const faults = new Faults()
  const calls: Call[] = []
  const world = { account, hooks, url: '' }
  const routes = routesOf(world)

  const answerApi = (request: http.IncomingMessage, url: URL, body: string, call: Call): unknown => {
    for (const { method, template, answer } of routes) {
      const parts = method === request.method ? matchTemplate(template, url.pathname) : null
      if (parts === null) continue
      call.template = template
      requireVersion(template, url.searchParams.get('api-version'), own?.version ?? null)
      const isPatch = template.includes('/workitems/$') || template.endsWith('/workitems/{id}')
      const type = isPatch ? 'application/json-patch+json' : 'application/json'
      if (body !== '' && request.headers['content-type'] !== type) {
        throw new AzureError(
          415,
          'VssRequestContentTypeNotSupportedException',
          'VS403000: The content type is not valid',
        )
      }
      const known = template.startsWith('/_apis') || account.organisations.includes(parts[0] ?? '')
      if (!known) throw new AzureError(404, 'HostNotFoundException', 'VS800075: The organization does not exist')
      const json: unknown = body === '' ? null : JSON.parse(body)
      return answer({ parts, query: url.searchParams, json })
    }
    throw new AzureError(404, 'NotFoundException', 'The page was not found')
  }
  const api = (request: http.IncomingMessage, url: URL, body: string, call: Call, response: http.ServerResponse) => {
    const isToken = request.headers.authorization?.startsWith('Basic ')
    if (!signIns.accepts(request.headers.authorization) || (own && !isToken))
      return sendJson(response, { status: 401, body: null })
    if (faults.before(response) !== null) return
    const count = account.items.length
    try {
      Object.assign(call, { answer: answerApi(request, url, body, call), status: 200 })
    } catch (error) {
      if (!(error instanceof AzureError)) throw error
      call.status = error.status
      return sendJson(response, { status: error.status, body: errorBody(error) })
    }
    if (account.items.length > count && faults.afterCreation(response)) return
    sendJson(response, { body: call.answer, headers: faults.slow })
  }
  const handle = ({ request, response, method, url, body, values }: Incoming): void => {
    const [, tenant = '', page] = /^\/([^/]+)\/oauth2\/v2\.0\/(authorize|token)$/.exec(url.pathname) ?? []
    const isJson = (request.headers['content-type'] ?? '').includes('json')
    const json: unknown = isJson && body !== '' ? JSON.parse(body) : null
    const query = Object.fromEntries(url.searchParams)
    const call: Call = { method, path: url.pathname, template: null, query, json, status: 0, answer: null }
    calls.push(call)
    if (own) {
      const isHere = url.pathname.startsWith(`${SERVER_PATH}/`) && !url.pathname.startsWith(`${SERVER_PATH}/_apis/`)
      if (!isHere) return sendJson(response, { status: 404, body: null })
      url.pathname = url.pathname.slice(SERVER_PATH.length)
      return api(request, url, body, call, response)
    }
    if (page === undefined) return api(request, url, body, call, response)
    if (page === 'token') return sendJson(response, signIns.exchange(tenant, values))
    answerConsent(request, response, values, signIns.consent(tenant, url.pathname))
  }
  const provider = await startProvider(options, { clock, webhooks: hooks }, handle)
  world.url = `${provider.url}${own ? SERVER_PATH : ''}`
  const known = (id: number) => {
    const item = account.items.find((one) => one.id === id)
    if (!item) throw new Error(`There is no work item ${id}`)
    return item
  }
  return {
    ...provider,
    url: world.url,
    collectionUrl: own ? `${world.url}/${encodeURIComponent(account.organisation)}` : null,
    version: own?.version ?? null,
    account,
    signIns,
    hooks,
    faults,
    calls,
    setState(id, state, reason) {
      const item = known(id)
      Object.assign(item.fields, { 'System.State': state, 'System.Reason': reason })
      item.rev += 1
      hooks.send(item, 'workitem.updated', 'System.State')
    },
    remove(id) {
      known(id).deleted = true
      hooks.send(known(id), 'workitem.deleted')
    },
    move(id, to) {
      const item = known(id)
      const type = to.types.find(({ name }) => name === item.type.name) ?? item.type
      const fields = { 'System.TeamProject': to.name, 'System.AreaPath': to.name, 'System.State': type.states[0]?.name }
      Object.assign(item, { project: to, type, rev: item.rev + 1 })
      Object.assign(item.fields, fields)
    },
    hide(id) {
      known(id).visible = false
    },
  }
}
