import type * as http from 'node:http'
import type { SourceFault } from '../../kit/sample.ts'
import type { Answer } from './methods.ts'

/**
 * How a call can go wrong. `429` specifies how long to wait, `429-bare` does not; `ratelimited` and `internal_error` are HTTP
 * 200; `cut` ends the connection within the body, `truncated` ends the JSON; `empty-page` has only a cursor, `no-messages` not even
 * that; `wrong-types` and `missing-fields` are malformed replies; `revoked` ends the token permanently.
 */
export type SlackFault = SourceFault | 'ratelimited' | 'internal_error' | 'unknown_error' | 'no-messages'

const SLOW_MS = 150

type Exchange = { request: http.IncomingMessage; response: http.ServerResponse; good: () => Answer }

/** Responds incorrectly to a call. `good` is the correct response. */
export function answerWrongly(fault: SlackFault, { request, response, good }: Exchange): void {
  const whole = () => JSON.stringify(good())
  switch (fault) {
    case '429':
      return sendJson(response, { ok: false, error: 'ratelimited' }, 429, { 'retry-after': '7' })
    case '429-bare':
      return sendJson(response, { ok: false, error: 'ratelimited' }, 429)
    case 'ratelimited':
      return sendJson(response, { ok: false, error: 'ratelimited' }, 200, { 'retry-after': '9' })
    case '500':
      return sendText(response, 'Server error', 500)
    case 'internal_error':
    case 'unknown_error':
      return sendJson(response, { ok: false, error: fault })
    case 'reset':
      request.socket.resetAndDestroy()
      return
    case 'cut': {
      const body = whole()
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
      response.write(body.slice(0, body.length / 2), () => request.socket.destroy())
      return
    }
    case 'silence':
      return
    case 'slow': {
      const body = whole()
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write(body.slice(0, 10))
      setTimeout(() => response.end(body.slice(10)), SLOW_MS)
      return
    }
    case 'malformed':
      return sendText(response, '{"ok":true,"messages":[}', 200, 'application/json')
    case 'html':
      return sendText(response, '<!doctype html><title>Slack</title>', 200, 'text/html')
    case 'truncated':
      return sendText(response, whole().slice(0, -20), 200, 'application/json')
    case 'empty-page': {
      const cursor = new URL(request.url ?? '/', 'http://slack').searchParams.get('cursor') ?? ''
      const here = cursor === '' ? 'after:' : Buffer.from(cursor, 'base64').toString()
      const next = Buffer.from(`${here}~`).toString('base64')
      return sendJson(response, { ...good(), messages: [], has_more: true, response_metadata: { next_cursor: next } })
    }
    case 'no-messages':
      return sendJson(response, { ...good(), messages: [], has_more: false, response_metadata: { next_cursor: '' } })
    case 'wrong-types':
      return sendJson(response, { ...good(), messages: [{ ts: 17, text: ['customer words'] }], channels: 'none' })
    case 'missing-fields':
      return sendJson(response, { ok: true })
    case 'revoked':
      return sendJson(response, { ok: false, error: 'token_revoked' })
  }
}

export function sendJson(
  response: http.ServerResponse,
  body: Answer,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
  response.end(JSON.stringify(body))
}

export function sendText(response: http.ServerResponse, body: string, status = 200, type = 'text/plain'): void {
  response.writeHead(status, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store' })
  response.end(body)
}
