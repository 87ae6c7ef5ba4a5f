import type { FastifyReply, FastifyRequest } from 'fastify'
import { lockMembers, workspaceName } from '../../features/workspaces/index.ts'
import { inWorkspace } from '../../platform/db/tenant.ts'
import type { Mount } from '../../platform/http/create.ts'
import { errorAnswer } from '../../platform/http/errors.ts'
import { factsOf } from '../../platform/http/facts.ts'
import type { RequestFacts } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { logFailure } from '../openid/provider.ts'
import { withFragment } from '../protocol/redirects.ts'
import { sendProblem } from '../protocol/send-problem.ts'
import { sessionFragment } from '../protocol/session-json.ts'
import { recordAudit } from '../record-audit.ts'
import { originOf } from '../site-url.ts'
import { requireOwner } from '../team/owners.ts'
import { takeAll } from '../throttle/limits.ts'
import { landingOf, providerOf, returnFromProvider, startSso } from './flow.ts'
import type { SsoFlow } from './flow-store.ts'
import { ssoPath } from './link.ts'
import { confirmationPage, PAGE_HEADERS, testedPage, testFailedPage } from './pages.ts'
import { linkBySso, type SsoOutcome, signInBySso } from './sign-in.ts'
import { markTested, type ProviderRow } from './store.ts'
import { problems } from './words.ts'

const WORKSPACE = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/

type Answer = { location: string; cookie?: string } | { page: string }

/**
 * The addresses of single sign-on: of a workspace, which sends the browser to its provider, and the one to which that returns it. If anything goes
 * wrong, the browser ends on a page that says so in plain words.
 */
export function ssoMount(services: Services): Mount {
  const log = services.log.child({ part: 'sso' })
  const refuse = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { fault, status, body } = errorAnswer(error)
    if (fault) log.error({ id: request.id, err: error instanceof Error ? error.message : typeof error }, 'failed')
    return send(reply.code(status), { page: testFailedPage('Sign-in was not completed', body.message) })
  }
  const answering =
    (work: (workspaceId: string, request: RequestFacts, query: URLSearchParams) => Promise<Answer>) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const facts = factsOf(request, reply, log)
      const landing = landingOf(services, facts)
      if (!(await takeAll(services, [{ limit: 'oauth', address: facts.address }]))) {
        return send(reply, problem(landing, 'too-many'))
      }
      const { workspace } = request.params as { workspace: string }
      if (!WORKSPACE.test(workspace)) return send(reply, problem(landing, 'off'))
      return send(reply, await work(workspace, facts, queryOf(request)))
    }
  return {
    prefix: '/api/sso',
    refuse,
    async register(app) {
      app.setErrorHandler(refuse)
      const options = { exposeHeadRoute: false }
      app.get(
        '/:workspace',
        options,
        answering((id, request) => begin(services, id, request)),
      )
      app.get(
        '/:workspace/callback',
        options,
        answering((id, request, query) => finish(services, id, request, query)),
      )
    },
  }
}

async function begin(services: Services, workspaceId: string, request: RequestFacts): Promise<Answer> {
  const landing = landingOf(services, request)
  const provider = await providerOf(services, workspaceId)
  if (!provider?.enabled) return problem(landing, 'off')
  if (!isFromOwnPage(services, request)) {
    const name = await inWorkspace(services.db.accounts, workspaceId, (tx) => workspaceName(tx, workspaceId))
    return { page: confirmationPage(name, provider.issuer, ssoPath(workspaceId)) }
  }
  try {
    const { url, setCookie } = await startSso(services, provider, { purpose: 'sign-in', accountId: null }, request)
    return { location: url, cookie: setCookie }
  } catch (error) {
    logFailure(request, 'single sign-on', error)
    return problem(landing, 'outage')
  }
}

/** True when a page of ours sent the browser here, which no other site can forge. Over http, browsers send no `Sec-Fetch-Site`. */
function isFromOwnPage(services: Services, { headers }: RequestFacts): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  return URL.parse(String(headers['referer']))?.origin === originOf(services, { headers })
}

async function finish(
  services: Services,
  workspaceId: string,
  request: RequestFacts,
  query: URLSearchParams,
): Promise<Answer> {
  const failed = (error: unknown) => logFailure(request, 'single sign-on', error)
  const returned = await returnFromProvider(services, workspaceId, query, request, failed)
  const to = returned.flow?.redirectTo ?? landingOf(services, request)
  if ('refused' in returned) {
    if (returned.flow?.purpose !== 'test') return problem(to, returned.refused)
    return { page: testFailedPage('The test failed', problems[returned.refused].words) }
  }
  const { flow, provider, person } = returned
  if (flow.purpose === 'test') {
    const isNoted = await noteTest(services, provider, flow, request)
    return { page: isNoted ? testedPage(person) : testFailedPage('The test failed', problems.changed.words) }
  }
  const outcome =
    flow.purpose === 'link' && flow.accountId !== null
      ? await linkBySso(services, provider, person, flow.accountId, request)
      : await signInBySso(services, provider, person, request)
  return 'refused' in outcome
    ? refused(services, workspaceId, outcome, to, request)
    : { location: withFragment(to, sessionFragment(outcome.session)) }
}

async function refused(
  services: Services,
  workspaceId: string,
  { refused: why }: Extract<SsoOutcome, { refused: unknown }>,
  to: string,
  request: RequestFacts,
): Promise<Answer> {
  if (why !== 'banned' && why !== 'changed') {
    const event = {
      at: services.now(),
      actorId: null,
      accountId: null,
      workspaceId,
      request,
      detail: { why, method: 'sso' },
    }
    await inWorkspace(services.db.accounts, workspaceId, (tx) =>
      recordAudit(tx, { action: 'session.refused', ...event }),
    )
  }
  return problem(to, why)
}

/** Records a test that an owner started, and nobody else finished. False when the provider was changed while it answered. */
async function noteTest(
  services: Services,
  { workspaceId, changedAt }: ProviderRow,
  { accountId }: SsoFlow,
  request: RequestFacts,
): Promise<boolean> {
  if (accountId === null) throw new Error('a test has no owner')
  return inWorkspace(services.db.accounts, workspaceId, async (tx) => {
    await lockMembers(tx, workspaceId)
    await requireOwner(tx, { workspaceId, accountId })
    const at = services.now()
    if (!(await markTested(tx, workspaceId, changedAt, at))) return false
    await recordAudit(tx, { action: 'sso.tested', at, actorId: accountId, accountId, workspaceId, request })
    return true
  })
}

function problem(to: string, why: keyof typeof problems): Answer {
  return { location: sendProblem(to, problems[why]).headers?.['location'] ?? to }
}

function queryOf({ query }: FastifyRequest): URLSearchParams {
  const found = new URLSearchParams()
  for (const [name, value] of Object.entries(query as Record<string, unknown>)) {
    if (typeof value === 'string') found.set(name, value)
  }
  return found
}

function send(reply: FastifyReply, answer: Answer): FastifyReply {
  reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer')
  if ('page' in answer) return reply.headers(PAGE_HEADERS).type('text/html; charset=utf-8').send(answer.page)
  if (answer.cookie !== undefined) reply.header('set-cookie', answer.cookie)
  return reply.redirect(answer.location, 302)
}
