import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** How slowly a request body may arrive. */
export type BodyTime = {
  /** Maximum time for the whole body, in milliseconds. */
  totalMs: number
  /** The upload of a signed-in caller has no such limit, but may not pause for this long, in milliseconds, … */
  idleMs: number
  /** … and must deliver this many bytes a second, averaged over each window of `windowMs`. */
  bytesPerSecond: number
  windowMs: number
}

/** The limits of the product: 30 s for a body; for uploads 1 KiB a second and no pause of 30 s. */
export const BODY_TIME: BodyTime = { totalMs: 30_000, idleMs: 30_000, bytesPerSecond: 1024, windowMs: 60_000 }

const CHECKS_PER_LIMIT = 6
const TIMED_OUT = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'

/** A time limit: starts, and returns a function that stops it. */
type Limit = (cutOff: () => void) => () => void

/**
 * Limits how long the body of any request may take to arrive, starting before the caller is known, whatever the reply is and whether
 * or not the body is read. A body that is too slow holds memory and a connection: the client gets a 408, or only the end of the
 * connection when the reply has already started.
 */
export type BodyTimer = {
  /** Limits every request of a server. */
  limit(app: FastifyInstance): void
  /** Limits a request that was refused before any hook. */
  watch(body: IncomingMessage, response: ServerResponse): void
  /** Lets the body of a request take as long as it needs while it makes progress: for uploads of signed-in callers. */
  allowLong(request: FastifyRequest): void
}

/** Applies these limits to the requests of one server. */
export function bodyTimer(limits: BodyTime): BodyTimer {
  /** Replaces the limit of a body that is still arriving. */
  const replace = new WeakMap<IncomingMessage, (limit: Limit) => void>()
  const watch = (body: IncomingMessage, response: ServerResponse): void => {
    const change = watchBody(body, response, inTotal(limits), () => replace.delete(body))
    if (change) replace.set(body, change)
  }
  return {
    limit(app) {
      app.addHook('onRequest', async (request, reply) => watch(request.raw, reply.raw))
    },
    watch,
    allowLong({ raw: body }) {
      replace.get(body)?.(whileProgressing(body, limits))
    },
  }
}

/** Returns what replaces the limit; undefined when there is no body to wait for. */
function watchBody(
  body: IncomingMessage,
  response: ServerResponse,
  first: Limit,
  onEnd: () => void,
): ((limit: Limit) => void) | undefined {
  if (body.complete || !('content-length' in body.headers || 'transfer-encoding' in body.headers)) return
  // A request that was injected did not come over a network.
  if (!(body.socket instanceof Socket)) return
  const cutOff = () => {
    // All of it has arrived and only waits to be read.
    if (body.complete) return
    if (!response.headersSent) body.socket.write(TIMED_OUT)
    body.socket.destroySoon()
  }
  let stop = first(cutOff)
  const ended = () => {
    stop()
    onEnd()
  }
  body.once('end', ended)
  body.once('close', ended)
  return (limit) => {
    stop()
    stop = limit(cutOff)
  }
}

function inTotal({ totalMs }: BodyTime): Limit {
  return (cutOff) => {
    const timer = setTimeout(cutOff, totalMs)
    timer.unref()
    return () => clearTimeout(timer)
  }
}

function whileProgressing(body: IncomingMessage, { idleMs, windowMs, bytesPerSecond }: BodyTime): Limit {
  return (cutOff) => {
    const tickMs = Math.max(1, Math.min(idleMs, windowMs) / CHECKS_PER_LIMIT)
    let seen = body.socket.bytesRead
    let silentMs = 0
    let window = { ms: 0, bytes: 0 }
    const timer = setInterval(() => {
      const received = body.socket.bytesRead - seen
      seen = body.socket.bytesRead
      // Bytes wait to be read: the server is behind, not the client.
      if (body.readableLength > 0) return
      silentMs = received > 0 ? 0 : silentMs + tickMs
      window = { ms: window.ms + tickMs, bytes: window.bytes + received }
      const full = window.ms >= windowMs
      if (silentMs >= idleMs || (full && window.bytes < (bytesPerSecond * window.ms) / 1000)) cutOff()
      if (full) window = { ms: 0, bytes: 0 }
    }, tickMs)
    timer.unref()
    return () => clearInterval(timer)
  }
}
