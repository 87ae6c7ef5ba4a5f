import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Log } from '../log/log.ts'
import type { RequestFacts } from './handle.ts'

/** The bearer token of a request; null when there is none that could be one. */
export function bearerOf(request: FastifyRequest): string | null {
  const match = /^Bearer +([\x21-\x7e]{1,8192})$/i.exec(request.headers.authorization ?? '')
  return match?.[1] ?? null
}

/** What a handler may know of a request. The logger and the signal are created on first use. */
export function factsOf(request: FastifyRequest, reply: FastifyReply, log: Log): RequestFacts {
  let controller: AbortController | undefined
  return {
    id: request.id,
    address: request.ip,
    headers: request.headers,
    token: bearerOf(request),
    get log() {
      return log.child({ id: request.id })
    },
    get signal() {
      if (!controller) {
        const made = new AbortController()
        controller = made
        reply.raw.once('close', () => {
          if (!reply.raw.writableEnded) made.abort()
        })
      }
      return controller.signal
    },
  }
}
