import type * as http from 'node:http'
import type { SourceFault } from '../../kit/sample.ts'
import { type Reply, refuse } from './reply.ts'
import type { Json } from './views.ts'

/** `forbidden`: a missing permission. `expired-cursor`: one that is no longer accepted. The others are those of every source. */
export type IntercomFault = SourceFault | 'forbidden' | 'expired-cursor'

const SLOW_MS = 150

type Exchange = {
  request: http.IncomingMessage
  response: http.ServerResponse
  json: unknown
  good: () => Reply
}

/** Responds incorrectly to a call. `good` is the correct response. */
export function answerWrongly(fault: IntercomFault, { request, response, json, good }: Exchange): void {
  const whole = () => JSON.stringify(good().body)
  const type = { 'content-type': 'application/json; charset=utf-8' }
  const send = ({ status, body }: Reply, headers: Record<string, string> = {}) =>
    void response.writeHead(status, { ...type, ...headers }).end(JSON.stringify(body))
  switch (fault) {
    case '429':
      return send(refuse(429, 'rate_limit_exceeded'), { 'retry-after': '7' })
    case '429-bare':
      return send(refuse(429, 'rate_limit_exceeded'))
    case '500':
      return void response.writeHead(500, { 'content-type': 'text/plain' }).end('Internal Server Error')
    case 'reset':
      return void request.socket.resetAndDestroy()
    case 'cut': {
      const body = whole()
      response.writeHead(200, { ...type, 'content-length': Buffer.byteLength(body) })
      return void response.write(body.slice(0, body.length / 2), () => request.socket.destroy())
    }
    case 'silence':
      return
    case 'slow': {
      const body = whole()
      response.writeHead(200, type)
      response.write(body.slice(0, 10))
      return void setTimeout(() => response.end(body.slice(10)), SLOW_MS)
    }
    case 'malformed':
      return void response.writeHead(200, type).end('{"conversations":[}')
    case 'html':
      return void response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Intercom</title>')
    case 'truncated':
      return void response.writeHead(200, type).end(whole().slice(0, -20))
    case 'empty-page':
      return send({ status: 200, body: emptyPage(good().body ?? {}, json) })
    case 'wrong-types':
      return send({
        status: 200,
        body: { ...good().body, id: { words: 'customer words' }, conversations: 'customer words' },
      })
    case 'missing-fields':
      return send({ status: 200, body: {} })
    case 'forbidden':
      return send(refuse(403, 'forbidden', 'The app lacks a permission'))
    case 'expired-cursor':
      return send(refuse(400, 'parameter_invalid', 'starting_after is invalid'))
    case 'revoked':
      return send(refuse(401, 'unauthorized', 'Access Token Invalid'))
  }
}

/** A page with only a cursor, which is another one for the same place. */
function emptyPage(good: Json, json: unknown): Json {
  const { pagination } = (json ?? {}) as { pagination?: { starting_after?: string } }
  const after = pagination?.starting_after
  const here = after ? Buffer.from(after, 'base64').toString() : '[0,0]'
  const next = { per_page: 1, starting_after: Buffer.from(`${here}~`).toString('base64') }
  return { ...good, conversations: [], pages: { type: 'pages', next } }
}
