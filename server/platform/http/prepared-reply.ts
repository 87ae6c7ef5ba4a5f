import type { ReplyOf, Route } from '@groundswell/contract/route.ts'
import type { RequestFacts } from './handle.ts'

/** A reply that is sent as it stands: a body that was made and checked before, or none at all. JSON unless a header says else. */
export class PreparedReply {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string | Buffer | null

  constructor(status: number, headers: Record<string, string>, body: string | Buffer | null) {
    this.status = status
    this.headers = headers
    this.body = body
  }
}

const CACHE_CONTROL = 'private, no-cache'

/** Serialises a reply once, checked against its route's schema, so that it can be sent many times by `preparedJson`. */
export function checkedJson<R extends Route>(route: R, value: ReplyOf<R>): string {
  const parsed = route.reply.safeParse(value)
  if (!parsed.success) {
    throw new Error(`the reply of ${route.name} does not fit the contract`, { cause: parsed.error })
  }
  return JSON.stringify(parsed.data)
}

/** Sends JSON that `checkedJson` made (as text or as its UTF-8 bytes), with an ETag (with its quotes) under which the browser may keep it. */
export function preparedJson(json: string | Buffer, etag: string): PreparedReply {
  return new PreparedReply(200, { etag, 'cache-control': CACHE_CONTROL }, json)
}

/** Says that what the client has under this ETag is still right. */
export function notModified(etag: string): PreparedReply {
  return new PreparedReply(304, { etag, 'cache-control': CACHE_CONTROL }, null)
}

/** True when the client already has what this ETag (with its quotes) names; weak and strong compare alike. */
export function clientHas(request: RequestFacts, etag: string): boolean {
  const header = request.headers['if-none-match']
  if (typeof header !== 'string') return false
  if (header.trim() === '*') return true
  const opaque = etag.replace(/^W\//, '')
  return header.split(',').some((part) => part.trim().replace(/^W\//, '') === opaque)
}
