import type * as http from 'node:http'
import { answerConsent } from '../consent.ts'
import { Clock, type Incoming, type PathCall, type Provider, type ProviderOptions, startProvider } from '../provider.ts'
import { sendJson } from '../server.ts'
import { Budget, type TrackerFaults } from '../tracker-faults.ts'
import { Account } from './account.ts'
import { faultsAt, limitHeaders, limitReply } from './faults.ts'
import { ClickUpError, noToken } from './refusals.ts'
import type { Fields } from './route.ts'
import { routesFor } from './routes.ts'
import { SignIns } from './sign-in.ts'
import { Webhooks } from './webhooks.ts'

const MINUTE_MS = 60_000
const TOKEN = '/v2/oauth/token'

/** `template`: '' for a call that the API does not have. `query` holds the last value of each name. */
export type Call = PathCall & { json: Fields | null }

export type ClickUpSandbox = Provider & {
  account: Account
  signIns: SignIns
  webhooks: Webhooks
  faults: TrackerFaults
  /** Requests a minute. ClickUp's own limit is 100 up to the Business plan. */
  budget: Budget
  /** Every request so far. */
  calls: Call[]
  /** Changes of people in ClickUp, with their webhooks. `status` is a type. */
  setStatus(id: string, status: string): void
  /** Gives it a status named so, of one of the closed types: people name those as they like. */
  decline(id: string, name?: string, type?: 'done' | 'closed'): void
  remove(id: string): void
  /** To a list by its id; without one, out of the reach of the sign-in. */
  move(id: string, list?: string): void
}

/** A stand-in for ClickUp on loopback: consent page, tokens, API and signed webhooks, with documented limits. */
export async function startClickUp(options: ProviderOptions = {}): Promise<ClickUpSandbox> {
  const clock = new Clock()
  const { now } = clock
  const account = new Account()
  const webhooks = new Webhooks()
  const signIns = new SignIns(() => account.teams.filter(({ allowed }) => allowed).map(({ name }) => name))
  const faults = faultsAt(now)
  const budget = new Budget(null, MINUTE_MS, now)
  const calls: Call[] = []
  const routes = routesFor(account, webhooks).map((route) => ({
    ...route,
    pattern: new RegExp(`^/api${route.template.replaceAll(/\{\w+\}/g, '([^/]+)')}$`),
  }))

  const api = (request: http.IncomingMessage, call: Call, url: URL, response: http.ServerResponse): void => {
    const respond = (status: number, answer: unknown, headers: Record<string, string> = {}) => {
      Object.assign(call, { status, answer })
      sendJson(response, { status, body: answer, headers })
    }
    try {
      if (call.template === TOKEN) return respond(200, signIns.exchange(call.json ?? {}))
      if (!signIns.accepts(request.headers.authorization)) throw noToken()
      if (faults.before(response) !== null) return
      const left = budget.spend()
      const headers = limitHeaders(left)
      if (left.over) return sendJson(response, limitReply(headers))
      const route = routes.find((one) => one.method === call.method && one.template === call.template)
      if (!route) throw new ClickUpError(404, 'APP_001', 'Route not found')
      const ids = (route.pattern.exec(url.pathname) ?? []).slice(1).map(decodeURIComponent)
      const count = account.tasks.length
      const answer = route.answer({ ids, query: url.searchParams, body: call.json ?? {} })
      if (account.tasks.length > count && faults.afterCreation(response)) return
      respond(200, answer, headers)
    } catch (error) {
      if (!(error instanceof ClickUpError)) throw error
      respond(error.status, error.body)
    }
  }
  const handle = ({ request, response, method, url, body, values }: Incoming): void => {
    const isApi = url.pathname.startsWith('/api/v2/')
    const known = routes.find((route) => route.method === method && route.pattern.test(url.pathname))
    const call: Call = {
      method,
      path: url.pathname,
      template: url.pathname === `/api${TOKEN}` ? TOKEN : (known?.template ?? ''),
      query: Object.fromEntries(url.searchParams),
      json: isApi && body !== '' ? (JSON.parse(body) as Fields) : null,
      status: 0,
      answer: null,
    }
    calls.push(call)
    if (isApi) api(request, call, url, response)
    else if (url.pathname === '/api') answerConsent(request, response, values, signIns)
    else sendJson(response, { status: 404, body: { err: 'not found' } })
  }
  const provider = await startProvider(options, { clock, webhooks }, handle)
  return {
    ...provider,
    account,
    signIns,
    webhooks,
    faults,
    budget,
    calls,
    setStatus(id, status) {
      const task = account.task(id)
      task.status = task.list.status(status)
      webhooks.send(task, 'taskStatusUpdated')
    },
    decline(id, name = "won't do", type = 'closed') {
      const task = account.task(id)
      task.status = { ...task.list.status('closed'), status: name, type }
      webhooks.send(task, 'taskStatusUpdated')
    },
    remove(id) {
      const task = Object.assign(account.task(id), { deleted: true })
      webhooks.send(task, 'taskDeleted')
    },
    move(id, list) {
      const task = account.task(id)
      webhooks.send(task, 'taskMoved')
      const place = list === undefined ? null : account.placeOf(list)
      if (place) Object.assign(task, { list: place.list, status: place.list.status('open') })
      else task.visible = false
    },
  }
}
