import type * as http from 'node:http'
import type { SourceFault } from '../../kit/sample.ts'
import type { Reply } from './endpoints.ts'
import type { Json } from './views.ts'

/** `forbidden`: a missing scope. `expired-cursor`: a cursor that is no longer accepted. The others are those of every source. */
export type ZendeskFault = SourceFault | 'forbidden' | 'expired-cursor'

const SLOW_MS = 150

type Exchange = { request: http.IncomingMessage; response: http.ServerResponse; good: () => Reply }

/** Responds incorrectly to a call. `good` is the correct response. */
export function answerWrongly(fault: ZendeskFault, { request, response, good }: Exchange): void {
  const whole = () => JSON.stringify(good().body)
  const json = { 'content-type': 'application/json; charset=utf-8' }
  const send = (body: Json, status = 200, headers: Record<string, string> = {}) =>
    void response.writeHead(status, { ...json, ...headers }).end(JSON.stringify(body))
  const limit = { error: 'APIRateLimitExceeded', description: 'Number of allowed API requests per minute exceeded' }
  switch (fault) {
    case '429':
      return send(limit, 429, { 'retry-after': '7' })
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
      return void response.writeHead(200, json).end('{"tickets":[}')
    case 'html':
      return void response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Zendesk</title>')
    case 'truncated':
      return void response.writeHead(200, json).end(whole().slice(0, -20))
    case 'empty-page':
      return send(emptyPage(request.url ?? '/', good().body ?? {}))
    case 'wrong-types':
      return send({ ...good().body, tickets: 'none', comments: [{ id: 'customer words', public: 'yes' }] })
    case 'missing-fields':
      return send({})
    case 'forbidden':
      return send({ error: 'Forbidden', description: 'You are missing the following required scopes: read' }, 403)
    case 'expired-cursor':
      return send({ error: 'InvalidValue', description: 'Invalid cursor' }, 400)
    case 'revoked':
      return send({ error: 'invalid_token', error_description: 'The access token was revoked.' }, 401)
  }
}

/** A page with only a cursor, which is another one for the same place. */
function emptyPage(url: string, good: Json): Json {
  const { searchParams } = new URL(url, 'http://zendesk')
  if ('tickets' in good) {
    const start = `${searchParams.get('start_time') ?? ''}.0||-1|`
    const here = searchParams.get('cursor') ? Buffer.from(searchParams.get('cursor') ?? '', 'base64').toString() : start
    const after_cursor = Buffer.from(`${here}~`).toString('base64')
    return { ...good, tickets: [], after_cursor, end_of_stream: false }
  }
  const after = searchParams.get('page[after]')
  const here = after ? Buffer.from(after, 'base64').toString() : 'at:0'
  return { ...good, comments: [], meta: { has_more: true, after_cursor: Buffer.from(`${here}~`).toString('base64') } }
}
