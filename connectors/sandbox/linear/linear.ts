import type * as http from 'node:http'
import type { GraphQLSchema } from 'graphql'
import { answerConsent } from '../consent.ts'
import { Clock, type Incoming, type Provider, type ProviderOptions, startProvider } from '../provider.ts'
import { sendJson } from '../server.ts'
import { Budget, type TrackerFaults } from '../tracker-faults.ts'
import { apiFor } from './api.ts'
import { execute } from './execute.ts'
import { faultsAt, limitHeaders, limitReply } from './faults.ts'
import { SignIns } from './sign-in.ts'
import { Webhooks } from './webhooks.ts'
import { Workspace } from './workspace.ts'

const HOUR_MS = 3_600_000

export type LinearOptions = ProviderOptions & { schema?: GraphQLSchema | null }
type Call = { method: string; path: string; query: string; variables: Record<string, unknown> }

export type LinearSandbox = Provider & {
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
  /** Changes of people in Linear, with their webhooks. `type` is that of a state. */
  setState(id: string, type: string): void
  trash(id: string): void
  archive(id: string): void
  hide(id: string): void
}

/** A stand-in for Linear on loopback: consent page, tokens, GraphQL and signed webhooks, with documented limits. */
export async function startLinear(options: LinearOptions = {}): Promise<LinearSandbox> {
  const { schema = null } = options
  const clock = new Clock()
  let admin = true
  const { now } = clock
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
  const handle = async ({ request, response, method, url, body, values }: Incoming): Promise<void> => {
    const { pathname } = url
    if (method === 'POST' && pathname === '/graphql') return graphql(request, body, response)
    calls.push({ method, path: pathname, query: '', variables: {} })
    if (pathname === '/oauth/authorize') answerConsent(request, response, values, signIns)
    else if (method === 'POST' && (pathname === '/oauth/token' || pathname === '/oauth/revoke')) {
      const answer = pathname === '/oauth/token' ? signIns.exchange(values) : signIns.revoke(values.get('token') ?? '')
      sendJson(response, answer)
    } else sendJson(response, { status: 404, body: { error: 'not found' } })
  }
  const provider = await startProvider(options, { clock, webhooks }, handle)
  const known = (id: string) => {
    const issue = workspace.issue(id)
    if (!issue) throw new Error(`There is no issue ${id}`)
    return issue
  }
  return {
    ...provider,
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
  }
}
