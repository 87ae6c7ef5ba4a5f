import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errorCode } from '../../platform/db/retry.ts'
import type { Mount } from '../../platform/http/create.ts'
import { errorAnswer } from '../../platform/http/errors.ts'
import { bearerOf, factsOf } from '../../platform/http/facts.ts'
import { parseInput } from '../../platform/http/parse.ts'
import type { Services } from '../../platform/services.ts'
import { type PersonClaims, verifyAccessToken } from '../sessions/access-token.ts'
import { limitRules, spend } from '../throttle/limits.ts'
import type { AuthAccess, AuthCall, AuthInput, AuthReply } from './auth-call.ts'
import { AuthError, asAuthError, managedBySso } from './auth-error.ts'
import { refuseRemoved } from './removed-people.ts'

const BODIES = new URL('./bodies.ts', import.meta.url).href
const VERSION_HEADER = 'x-supabase-api-version'
const VERSION = '2024-01-01'
const CONFLICTS = new Set(['40001', '40P01', '55P03'])

/** Mounts the protocol's calls. Every refusal below /auth/v1 has the protocol's own body. */
export function mountProtocol(services: Services, calls: readonly AuthCall[]): Mount {
  // An unknown limit in the configuration is reported at startup.
  limitRules(services)
  const log = services.log.child({ part: 'auth' })
  const refuse = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { refusal, fault } = refusalOf(error)
    if (fault) {
      const path = request.url.split('?', 1)[0]
      log.error({ id: request.id, method: request.method, path, err: faultOf(error) }, 'failed')
    }
    return sendError(request, reply, refusal)
  }
  return {
    prefix: '/auth/v1',
    refuse,
    async register(app) {
      app.setErrorHandler(refuse)
      app.setNotFoundHandler((request, reply) => {
        sendError(request, reply, new AuthError('not_found', 'There is no such call'))
      })
      for (const call of calls) bindCall(app, services, call)
    },
  }
}

function bindCall(app: FastifyInstance, services: Services, call: AuthCall): void {
  const log = services.log.child({ part: 'auth' })
  const schemas = { params: call.params, query: call.query, body: call.body }
  const people = new WeakMap<FastifyRequest, PersonClaims | null>()
  app.route({
    method: call.method,
    url: call.path,
    config: { call: `${call.method} ${call.path}`, bodySchemas: BODIES },
    // A HEAD request must not use up the token of a link.
    exposeHeadRoute: false,
    onRequest: async (request) => {
      if (call.limit) await spend(services, { limit: call.limit, address: request.ip })
      people.set(request, await admitted(services, call, bearerOf(request)))
    },
    handler: async (request, reply) => {
      const parsed = parseInput(schemas, {
        params: request.params,
        query: request.query,
        body: request.body === undefined || request.body === null ? {} : request.body,
      })
      const person = people.get(request) ?? null
      const input = { ...parsed, person, request: factsOf(request, reply, log) } as AuthInput<
        never,
        never,
        never,
        AuthAccess
      >
      return send(request, reply, await refuseRemoved(services, person, () => call.handle(input)))
    },
  })
}

/** The claims of the calling person. Throws when the token does not permit the call. */
async function admitted(
  services: Services,
  { access, bySso }: AuthCall,
  token: string | null,
): Promise<PersonClaims | null> {
  if (access === 'public') return null
  if (token === null) throw new AuthError('no_authorization', 'This endpoint requires a valid Bearer token')
  const verified = await verifyAccessToken(services, token)
  if (verified.kind === 'ended') {
    throw new AuthError('session_not_found', 'This session has ended')
  }
  if (verified.kind === 'bad') throw new AuthError('bad_jwt', 'invalid JWT: unable to parse or verify signature')
  if (access === 'service') {
    if (verified.kind !== 'service') throw new AuthError('not_admin', 'This requires a service token')
    return null
  }
  if (verified.kind !== 'person') throw new AuthError('bad_jwt', 'This token belongs to no person')
  if (verified.claims.groundswell.sso === 'made' && !bySso) {
    throw managedBySso()
  }
  return verified.claims
}

function send(request: FastifyRequest, reply: FastifyReply, answer: AuthReply): FastifyReply {
  echoVersion(request, reply)
  reply.code(answer.status).headers(answer.headers ?? {})
  if (answer.body === undefined) return reply.send()
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(answer.body))
}

function sendError(request: FastifyRequest, reply: FastifyReply, error: AuthError): FastifyReply {
  const isNew = echoVersion(request, reply)
  const { code, message, extra, status } = error
  const body = isNew ? { code, message, ...extra } : { code: status, error_code: code, msg: message, ...extra }
  reply.code(status).header('x-sb-error-code', code)
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(body))
}

/** Confirms the requested version of the protocol. The client reads `code` only when the server echoes the version. */
function echoVersion(request: FastifyRequest, reply: FastifyReply): boolean {
  const requested = request.headers[VERSION_HEADER]
  const isNew = typeof requested === 'string' && /^\d{4}-\d\d-\d\d$/.test(requested) && requested >= VERSION
  if (isNew) reply.header(VERSION_HEADER, VERSION)
  return isNew
}

/** Any thrown error as an error of the protocol. Only faults are 5xx: the client retries those. */
function refusalOf(error: unknown): { refusal: AuthError; fault: boolean } {
  if (error instanceof AuthError) return { refusal: error, fault: false }
  if (CONFLICTS.has(errorCode(error) ?? '')) {
    return { refusal: new AuthError('conflict', 'Too many concurrent requests: try again'), fault: false }
  }
  const { body, fault } = errorAnswer(error)
  return { refusal: asAuthError(body), fault }
}

function faultOf(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: typeof error }
  return { name: error.name, message: error.message, code: errorCode(error), stack: error.stack }
}
