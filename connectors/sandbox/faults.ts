import type { IncomingMessage, ServerResponse } from 'node:http'
import type { SourceFault } from '../kit/sample.ts'

type Json = Record<string, unknown>

/** What the faults of one provider look like. `good` is the body that the same request would have got. */
export type FaultShapes = {
  /** The body of a 429. */
  limit: Json
  /** The headers of a 429 that ask for a pause, given its length in seconds. Default: `Retry-After`. */
  pause?: (seconds: number) => Record<string, string>
  /** The refusal of credentials that no longer work, with status 401 unless given. */
  revoked: { status?: number; body: Json }
  /** The good page without items, with a cursor that is another one for the same place, if pages have one. `url`: of the request. */
  emptyPage(good: Json, url: URL): Json
  /** The good page with values of the wrong types. It must contain customer text, so that a leak shows. */
  wrongTypes(good: Json): Json
  /** A page without the fields that are read. Default: `{}`. */
  missingFields?: Json
  /** Default: `application/json; charset=utf-8`. */
  contentType?: string
}

/** `good` is the body that the request would have got. */
export type Exchange = { request: IncomingMessage; response: ServerResponse; good: () => Json }

/** How long `429` asks to wait, in seconds: the conformance suite expects it. */
const PAUSE_SECONDS = 7
const SLOW_MS = 150

/** The faults of the next requests. `isMeant`: which requests one without a name applies to. */
export class FaultQueue<Kind> {
  readonly #isMeant: (request: string, kind: Kind) => boolean
  readonly #waiting: { kind: Kind; name: string | undefined }[] = []

  constructor(isMeant: (request: string, kind: Kind) => boolean) {
    this.#isMeant = isMeant
  }

  /** `name`: only requests of that name. */
  add(kind: Kind, times = 1, name?: string): void {
    this.#waiting.push(...Array.from({ length: times }, () => ({ kind, name })))
  }

  /** The fault of a request, used up. */
  take(request: string): Kind | undefined {
    const index = this.#waiting.findIndex(({ kind, name }) =>
      name === undefined ? this.#isMeant(request, kind) : name === request,
    )
    return this.#waiting.splice(index, index < 0 ? 0 : 1)[0]?.kind
  }
}

/**
 * Answers one request of a source as `fault` says. `429-bare` does not say how long to wait; `cut` closes the connection in the middle of
 * the body, `truncated` ends the JSON early; `silence` never answers. The stand-in chooses the request, and ends the credentials on
 * `revoked` itself.
 */
export function answerWrongly(fault: SourceFault, exchange: Exchange, shapes: FaultShapes): void {
  const { request, response, good } = exchange
  const type = { 'content-type': shapes.contentType ?? 'application/json; charset=utf-8' }
  const whole = () => JSON.stringify(good())
  const send = (body: Json, status = 200, headers: Record<string, string> = {}) =>
    void response.writeHead(status, { ...type, ...headers }).end(JSON.stringify(body))
  const sendText = (body: string, status: number, type: string) =>
    void response.writeHead(status, { 'content-type': type }).end(body)
  switch (fault) {
    case '429':
      return send(shapes.limit, 429, shapes.pause?.(PAUSE_SECONDS) ?? { 'retry-after': String(PAUSE_SECONDS) })
    case '429-bare':
      return send(shapes.limit, 429)
    case '500':
      return sendText('Internal Server Error', 500, 'text/plain')
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
      response.writeHead(200, type).write(body.slice(0, 10))
      return void setTimeout(() => response.end(body.slice(10)), SLOW_MS)
    }
    case 'malformed':
      return sendText('{"items":[}', 200, type['content-type'])
    case 'html':
      return sendText('<!doctype html><title>Sign in</title>', 200, 'text/html')
    case 'truncated':
      return sendText(whole().slice(0, -20), 200, type['content-type'])
    case 'empty-page':
      return send(shapes.emptyPage(good(), new URL(request.url ?? '/', 'http://provider')))
    case 'wrong-types':
      return send(shapes.wrongTypes(good()))
    case 'missing-fields':
      return send(shapes.missingFields ?? {})
    case 'revoked':
      return send(shapes.revoked.body, shapes.revoked.status ?? 401)
  }
}
