import type * as http from 'node:http'
import { text } from 'node:stream/consumers'
import type { GraphQLSchema } from 'graphql'
import { answerConsent } from '../consent.ts'
import { sendJson, serve } from '../server.ts'
import { Budget, type TrackerFaults } from '../tracker-faults.ts'
import { apiFor } from './api.ts'
import { execute } from './execute.ts'
import { faultsAt, limitHeaders, limitReply } from './faults.ts'
import { SignIns } from './sign-in.ts'
import { Webhooks } from './webhooks.ts'
import { Workspace } from './workspace.ts'

const HOUR_MS = 3_600_000

export type LinearOptions = { host?: string; port?: number; schema?: GraphQLSchema | null }
type Call = { method: string; path: string; query: string; variables: Record<string, unknown> }

export type LinearSandbox = {
  url: string
  workspace: Workspace
  signIns: SignIns
  webhooks: Webhooks
  faults: TrackerFaults
  /** Requests an hour. */
  budget: Budget
  /** Every request so far; `query` and `variables` of GraphQL only. */
  calls: Call[]
  /** Errors of the executor that are bugs of the sandbox or of our operations. */
  problems: string[]
  /** False: the person is not an administrator. */
  setAdmin(admin: boolean): void
  /** Moves the sandbox's clock. */
  advance(seconds: number): void
  /** Changes of people in Linear, with their webhooks. `type` is that of a state. */
  setState(id: string, type: string): void
  trash(id: string): void
  archive(id: string): void
  hide(id: string): void
  stop(): Promise<void>
}

/** A stand-in for Linear on loopback: consent page, tokens, GraphQL and signed webhooks, with documented limits. */
export async function startLinear({
  host = '127.0.0.1',
  port = 0,
  schema = null,
}: LinearOptions = {}): Promise<LinearSandbox> {
  let offset = 0
  let admin = true
  const now = () => Date.now() + offset
  const workspace = new Workspace()
  const webhooks = new Webhooks(workspace)
  const signIns = new SignIns(workspace.organization.name, now)
  const faults = faultsAt(now)
  const budget = new Budget(2500, HOUR_MS, now)
  const calls: Call[] = []
  const problems: string[] = []

  const graphql = async (request: http.IncomingMessage, body: string, response: http.ServerResponse) => {
    const { query = '', variables = {} } = JSON.parse(body) as Partial<Call>
    calls.push({ method: 'POST', path: '/graphql', query, variables })
    const scopes = signIns.scopesOf(request.headers.authorization)
    if (!scopes) {
      const extensions = { type: 'authentication error', code: 'AUTHENTICATION_ERROR', statusCode: 401 }
      const body = { errors: [{ message: 'Authentication required, not authenticated', extensions }] }
      return sendJson(response, { status: 401, body })
    }
    if (faults.before(response) !== null) return
    const left = budget.spend()
    const headers = limitHeaders(left)
    if (left.over) return sendJson(response, limitReply(headers))
    const count = workspace.issues.length
    const root = apiFor({ workspace, webhooks }, { scopes, admin: admin && scopes.includes('key') })
    const result = await execute(root, query, variables, schema)
    const invalid = JSON.stringify(result.errors ?? []).includes('GRAPHQL_')
    if (invalid) problems.push(JSON.stringify(result.errors))
    if (workspace.issues.length > count && faults.afterCreation(response)) return
    sendJson(response, { status: invalid ? 400 : 200, body: result, headers })
  }
  const handle = async (request: http.IncomingMessage, response: http.ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://linear')
    const method = request.method ?? ''
    const body = await text(request)
    if (method === 'POST' && pathname === '/graphql') return graphql(request, body, response)
    calls.push({ method, path: pathname, query: '', variables: {} })
    const values = new URLSearchParams(body)
    if (pathname === '/oauth/authorize') {
      const given = method === 'POST' ? values : searchParams
      answerConsent(request, response, given, signIns)
    } else if (method === 'POST' && (pathname === '/oauth/token' || pathname === '/oauth/revoke')) {
      const answer = pathname === '/oauth/token' ? signIns.exchange(values) : signIns.revoke(values.get('token') ?? '')
      sendJson(response, answer)
    } else sendJson(response, { status: 404, body: { error: 'not found' } })
  }
  const server = await serve(handle, { host, port })
  const known = (id: string) => {
    const issue = workspace.issue(id)
    if (!issue) throw new Error(`There is no issue ${id}`)
    return issue
  }
  return {
    url: server.url,
    workspace,
    signIns,
    webhooks,
    faults,
    budget,
    calls,
    problems,
    setAdmin: (next) => {
      admin = next
    },
    advance: (seconds) => {
      offset += seconds * 1000
    },
    setState(id, type) {
      const issue = known(id)
      const stateId = issue.state.id
      issue.state = issue.team.state(type)
      webhooks.send(issue, 'update', { stateId })
    },
    trash(id) {
      const issue = Object.assign(known(id), { trashed: true, archivedAt: new Date(now()).toISOString() })
      webhooks.send(issue, 'remove')
    },
    archive(id) {
      const issue = Object.assign(known(id), { archivedAt: new Date(now()).toISOString() })
      webhooks.send(issue, 'update', { archivedAt: null })
    },
    hide(id) {
      known(id).visible = false
    },
    stop: () => {
      webhooks.stop()
      return server.stop()
    },
  }
}
