import { ContractError } from '@groundswell/contract/errors.ts'
import type { Route } from '@groundswell/contract/route.ts'
import { ROLES } from '@groundswell/contract/values/role.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Log } from '../log/log.ts'
import { rawBody } from './body.ts'
import type { BodyTimer } from './body-time.ts'
import { addVary, clientHas, clientVersion, etagFor, NOT_STORED, REVALIDATED } from './caching.ts'
import { bearerOf, factsOf } from './facts.ts'
import type { Authenticate, Caller, CallerKey, Handler, Input } from './handle.ts'
import { parseInput } from './parse.ts'
import { routerPath } from './paths.ts'
import { checkedJson, PreparedReply } from './prepared-reply.ts'
import type { TracedCalls } from './traced-calls.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The API key that made the call, for the log. */
    apiKeyId: string | null
  }
}

/** By which a page says which workspace it shows. */
const WORKSPACE_HEADER = 'x-workspace'

type Binding = {
  log: Log
  authenticate: Authenticate
  rawLimit: number
  timer: BodyTimer
  traced: TracedCalls
}

/** Registers one call of the contract: authentication, parsing, the handler, and a check of its reply. */
export function bindHandler(app: FastifyInstance, handler: Handler, binding: Binding): void {
  const { route } = handler
  const schemas = { params: route.params, query: route.query, body: route.body }
  const callers = new WeakMap<FastifyRequest, Caller>()
  app.route({
    method: route.method,
    url: routerPath(route.path),
    config: { call: route.name },
    ...(route.bodyLimit === undefined ? {} : { bodyLimit: route.bodyLimit }),
    onRequest: async (request) => {
      if (route.access === 'public') return
      callers.set(request, await callerOf(route, request, binding))
      if (route.raw) binding.timer.allowLong(request)
    },
    handler: async (request, reply) => {
      if (route.raw) reply.header('connection', 'close')
      const parsed = parseInput(schemas, {
        params: request.params,
        query: request.query,
        body: request.body === undefined ? {} : request.body,
      })
      const caller = callers.get(request) ?? null
      const input = {
        ...parsed,
        raw: route.raw ? rawBody(request, binding.rawLimit) : nothing(),
        caller,
        request: factsOf(request, reply, binding.log),
        clientHas: (version) => clientHas(request, etagFor(caller, version)),
        clientVersion: () => clientVersion(request, caller),
      } as Input<Route>
      return send(route, reply, caller, await binding.traced.within(request, () => handler.answer(input)))
    },
  })
}

async function callerOf(route: Route, request: FastifyRequest, { authenticate, log }: Binding): Promise<Caller> {
  const token = bearerOf(request)
  const caller = token === null ? null : await authenticate(token)
  if (!caller) throw new ContractError('unauthorized', 'Sign in first')
  request.apiKeyId = caller.key?.id ?? null
  const refusal = refusalOfPlace(route, caller, request) ?? refusalOf(route, caller)
  if (!refusal) return caller
  const { accountId, workspaceId } = caller
  log.warn(
    { id: request.id, call: route.name, code: refusal.code, accountId, workspaceId, address: request.ip },
    'refused',
  )
  throw refusal
}

/** Why a caller may not make a call; null when they may. */
export function refusalOf(route: Route, caller: Caller): ContractError | null {
  if (caller.key) return refusalOfKey(route, caller.key) ?? refusalOfRole(route, caller)
  if (caller.session.needsSecondFactor && !route.beforeSecondFactor) {
    return new ContractError('mfa_required', 'Give the code of your second factor first')
  }
  const refusal = refusalOfSso(route, caller)
  if (refusal) return refusal
  if (route.access === 'admin' && !caller.isAdmin) return new ContractError('forbidden', 'Only an admin may do this')
  return refusalOfRole(route, caller)
}

function refusalOfKey({ access, scope }: Route, { scopes }: CallerKey): ContractError | null {
  if (access === 'admin' || access === 'person' || scope === undefined) {
    return new ContractError('forbidden', 'An API key cannot make this call')
  }
  return scopes.includes(scope) ? null : new ContractError('forbidden', `This API key lacks the scope ${scope}`)
}

/** The one place in which single sign-on is required, and in which its sessions are kept to their workspace. */
function refusalOfSso({ ofAccount, beforeSecondFactor }: Route, { session }: Caller): ContractError | null {
  if (beforeSecondFactor) return null
  if (session.ssoLink !== undefined && !ofAccount) {
    return new ContractError('sso_required', `This workspace requires single sign-on. Sign in at ${session.ssoLink}`)
  }
  if (!session.bySso || !ofAccount) return null
  return new ContractError(
    'forbidden',
    'You are signed in with single sign-on, for this workspace only: log in another way',
  )
}

/** The one place in which roles are enforced. */
function refusalOfRole({ access }: Route, { role }: Caller): ContractError | null {
  if (access === 'public' || access === 'person' || access === 'admin') return null
  if (ROLES.indexOf(role) >= ROLES.indexOf(access)) return null
  return new ContractError(
    'forbidden',
    access === 'owner'
      ? 'Only an owner of this workspace may do this'
      : 'You can only view this workspace: ask an owner to make you a member',
  )
}

/** Refuses a page that shows another workspace than the one its session acts in now: numbers of insights exist in both. */
function refusalOfPlace(route: Route, caller: Caller, request: FastifyRequest): ContractError | null {
  const shown = request.headers[WORKSPACE_HEADER]
  if (shown === undefined || shown === caller.workspaceId || route.beforeSecondFactor) return null
  return new ContractError('workspace_changed', 'You now work in another workspace: reload the page')
}

function send(route: Route, reply: FastifyReply, caller: Caller | null, answer: unknown): FastifyReply {
  reply.header('cache-control', NOT_STORED)
  if (answer instanceof PreparedReply) {
    reply.code(answer.status).headers(answer.headers)
    if (answer.version !== null) reply.header('etag', etagFor(caller, answer.version))
    if (answer.version !== null && !answer.isPart) reply.header('cache-control', REVALIDATED)
    if (answer.varies !== null) addVary(reply, answer.varies)
    if (answer.body === null) return reply.send()
    return reply.type(answer.headers['content-type'] ?? 'application/json; charset=utf-8').send(answer.body)
  }
  return reply.type('application/json; charset=utf-8').send(checkedJson(route, answer as never))
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
