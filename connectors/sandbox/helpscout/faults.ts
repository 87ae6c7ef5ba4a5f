import type * as http from 'node:http'
import type { SourceFault } from '../../kit/sample.ts'
import type { Reply } from './reply.ts'
import type { Json } from './views.ts'

/** `forbidden`: the person may not do this. The others are those of every source. */
export type HelpScoutFault = SourceFault | 'forbidden'

const SLOW_MS = 150

type Exchange = { request: http.IncomingMessage; response: http.ServerResponse; good: () => Reply }

/** Responds incorrectly to a call. `good` is the correct response. */
export function answerWrongly(fault: HelpScoutFault, { request, response, good }: Exchange): void {
  const whole = () => JSON.stringify(good().body)
  const json = { 'content-type': 'application/hal+json; charset=utf-8' }
  const send = (body: Json, status = 200, headers: Record<string, string> = {}) =>
    void response.writeHead(status, { ...json, ...headers }).end(JSON.stringify(body))
  const limit = { error: 'API rate limit exceeded' }
  switch (fault) {
    case '429':
      return send(limit, 429, { 'x-ratelimit-retry-after': '7' })
    case '429-bare':
      return send(limit, 429)
    case '500':
      return void response.writeHead(500, { 'content-type': 'text/plain' }).end('Internal Server Error')
    case 'reset':
      return void request.socket.resetAndDestroy()
    case 'cut': {
      const body = whole()
      response.writeHead(200, { ...json, 'content-length': Buffer.byteLength(body) })
      return void response.write(body.slice(0, body.length / 2), () => request.socket.destroy())
    }
    case 'silence':
      return
    case 'slow': {
      const body = whole()
      response.writeHead(200, json)
      response.write(body.slice(0, 10))
      return void setTimeout(() => response.end(body.slice(10)), SLOW_MS)
    }
    case 'malformed':
      return void response.writeHead(200, json).end('{"_embedded":[}')
    case 'html':
      return void response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<!doctype html><title>Help Scout</title>')
    case 'truncated':
      return void response.writeHead(200, json).end(whole().slice(0, -20))
    case 'empty-page': {
      const { _embedded: _, ...rest } = good().body ?? {}
      return send(rest)
    }
    case 'wrong-types': {
      const wrong = [{ id: 'customer words', createdAt: 7 }]
      return send({ ...good().body, _embedded: { conversations: wrong, threads: wrong } })
    }
    case 'missing-fields':
      return send({})
    case 'forbidden':
      return send({ logRef: 'l-403', message: 'Forbidden' }, 403)
    case 'revoked':
      return send({ error: 'invalid_token', error_description: 'The access token is invalid or has expired' }, 401)
  }
}
