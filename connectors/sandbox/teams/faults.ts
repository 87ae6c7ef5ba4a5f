import type * as http from 'node:http'
import type { SourceFault } from '../../kit/sample.ts'
import { decode, failed, type Reply } from './lists.ts'
import type { Json } from './views.ts'

/** `forbidden`: a missing permission. `policy`: one channel is not shown. `stale`: a delta token that is no longer accepted. */
export type TeamsFault = SourceFault | 'forbidden' | 'policy' | 'stale'

const SLOW_MS = 150

type Exchange = { request: http.IncomingMessage; response: http.ServerResponse; good: Reply }

/** Responds incorrectly to a call. `good` is the correct response. */
export function answerWrongly(fault: TeamsFault, { request, response, good }: Exchange): void {
  const whole = JSON.stringify(good.body)
  const json = { 'content-type': 'application/json; charset=utf-8' }
  const send = ({ status, body }: Reply, headers: Record<string, string> = {}) =>
    void response.writeHead(status, { ...json, ...headers }).end(JSON.stringify(body))
  switch (fault) {
    case '429':
      return send(failed(429, 'TooManyRequests', 'Too many requests'), { 'retry-after': '7' })
    case '429-bare':
      return send(failed(429, 'TooManyRequests', 'Too many requests'))
    case '500':
      return void response.writeHead(500, { 'content-type': 'text/plain' }).end('Internal Server Error')
    case 'reset':
      return void request.socket.resetAndDestroy()
    case 'cut':
      response.writeHead(200, { ...json, 'content-length': Buffer.byteLength(whole) })
      return void response.write(whole.slice(0, whole.length / 2), () => request.socket.destroy())
    case 'silence':
      return
    case 'slow':
      response.writeHead(200, json)
      response.write(whole.slice(0, 10))
      return void setTimeout(() => response.end(whole.slice(10)), SLOW_MS)
    case 'malformed':
      return void response.writeHead(200, json).end('{"value":[}')
    case 'html':
      return void response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Teams</title>')
    case 'truncated':
      return void response.writeHead(200, json).end(whole.slice(0, -20))
    case 'empty-page':
      return send({ status: 200, body: emptyPage(request.url ?? '/') })
    case 'wrong-types':
      return send({ status: 200, body: { ...good.body, value: [{ id: 7, body: 'customer words' }] } })
    case 'missing-fields':
      return send({ status: 200, body: {} })
    case 'forbidden': {
      const message = "Missing role permissions on the request. API requires one of 'ChannelMessage.Read.All'."
      return send(failed(403, 'Forbidden', message))
    }
    case 'policy':
      return send(failed(403, 'Forbidden', 'The channel is protected by a policy.'))
    case 'stale':
      return send(failed(410, 'SyncStateNotFound', 'The sync state was not found'))
    case 'revoked':
      return send(failed(401, 'InvalidAuthenticationToken', 'Access token has expired or is not yet valid.'))
  }
}

/** A page with only a link, to the same place by another token. */
function emptyPage(url: string): Json {
  const { pathname, searchParams } = new URL(url, 'https://graph.microsoft.com')
  const stored = searchParams.get('$skiptoken') ?? searchParams.get('$deltatoken')
  const isDelta = pathname.endsWith('/delta')
  const from = Date.parse(/gt (\S+)$/.exec(searchParams.get('$filter') ?? '')?.[1] ?? '') || 0
  const start = isDelta ? { after: 0, from } : { before: Number.MAX_SAFE_INTEGER }
  const here = decode(stored) === null ? Buffer.from(JSON.stringify(start)).toString('base64url') : stored
  const kept = isDelta ? [] : [...searchParams].filter(([name]) => name !== '$skiptoken')
  const next = new URLSearchParams([...kept, ['$skiptoken', `${here}~`]])
  return { '@odata.nextLink': `https://graph.microsoft.com${pathname}?${next.toString()}`, value: [] }
}
