import { ContractError } from '@groundswell/contract/errors.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { callsAs } from '../../platform/http/calls-as.ts'
import type { Mount } from '../../platform/http/create.ts'
import { errorAnswer } from '../../platform/http/errors.ts'
import { bearerOf, factsOf } from '../../platform/http/facts.ts'
import type { Authenticate, Caller, Handler } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { inTurn, turnRules } from '../../platform/shares/turns.ts'

const BODY_LIMIT = 256 * 1024

/**
 * The MCP server, for agents: streamable HTTP without sessions, each request with an API key. Its tools make calls of the contract through
 * `handlers`, with the permissions of the key. The SDK is loaded by the first request.
 */
export function mcpMount(services: Services, handlers: readonly Handler[], authenticate: Authenticate): Mount {
  const log = services.log.child({ part: 'mcp' })
  const callFor = callsAs(handlers)
  const callers = new WeakMap<FastifyRequest, Caller>()
  const isOwn = originCheck(services.config)
  // A wrong setting is reported when the server starts.
  turnRules(services)

  return {
    prefix: '/api/mcp',
    refuse(error, _request, reply) {
      const { status, body } = errorAnswer(error)
      return reply.code(status).send(body)
    },
    async register(app) {
      app.route({
        method: 'POST',
        url: '',
        bodyLimit: BODY_LIMIT,
        onRequest: async (request, reply) => {
          if (!isOwn(request.headers.origin)) throw new ContractError('forbidden', 'Other websites may not call this')
          callers.set(request, await keyHolder(request, reply, authenticate))
        },
        handler: async (request, reply) => {
          const caller = callers.get(request)
          if (!caller) throw new Error('the request was not admitted')
          const facts = factsOf(request, reply, log)
          const { answerMessage } = await import('./answer-message.ts')
          const answer = await answerMessage(
            {
              call: callFor(caller, facts),
              now: services.now,
              log: facts.log,
              inTurn: (work) => inTurn(services, 'agent_calls', caller, facts.signal, work),
            },
            { message: request.body ?? null, version: request.headers['mcp-protocol-version'] },
          )
          reply.code(answer.status)
          return answer.body === '' ? reply.send() : reply.type('application/json; charset=utf-8').send(answer.body)
        },
      })
      // Clients may request a stream of server messages or end a session: neither exists.
      app.route({
        method: ['GET', 'DELETE'],
        url: '',
        exposeHeadRoute: false,
        handler: async (_request, reply) => {
          reply.header('allow', 'POST')
          throw new ContractError('method_not_allowed', 'Only POST is supported here')
        },
      })
    },
  }
}

async function keyHolder(request: FastifyRequest, reply: FastifyReply, authenticate: Authenticate): Promise<Caller> {
  const token = bearerOf(request)
  const caller = token === null ? null : await authenticate(token)
  if (!caller) {
    reply.header('www-authenticate', 'Bearer')
    throw new ContractError('unauthorized', 'Send an API key as the bearer token; it may be revoked or expired')
  }
  if (!caller.key) throw new ContractError('forbidden', 'Use an API key instead of a sign-in')
  request.apiKeyId = caller.key.id
  return caller
}

/** Whether a request with this origin is allowed. Programs send none; a browser sends that of the page. */
function originCheck({ publicUrl, allowedOrigins }: Services['config']): (origin: string | undefined) => boolean {
  const own = new Set([...allowedOrigins, ...(publicUrl ? [new URL(publicUrl).origin] : [])])
  return (origin) => origin === undefined || own.has(origin)
}
