import type { Readable } from 'node:stream'
import type { ReplyOf, Route } from '@groundswell/contract/route.ts'

/** The headers that decide who may store a reply are set by the platform from the caller's identity, never by a feature. */
const PLATFORM_HEADERS = new Set(['etag', 'vary', 'cache-control'])

/**
 * A reply that is sent unchanged: a body that was built and checked before, one that is read while it is sent, or none. JSON unless a header says
 * otherwise. `version` names the state that it shows to this caller: with one, the browser may store it, unless it is only a part (`isPart`) of the
 * resource at the address. `varies`: a request header that the reply depends on.
 */
export class PreparedReply {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string | Buffer | Readable | null
  readonly version: string | null
  readonly varies: string | null
  readonly isPart: boolean

  constructor(
    status: number,
    headers: Record<string, string>,
    body: string | Buffer | Readable | null,
    version: string | null = null,
    { varies = null, isPart = false }: { varies?: string | null; isPart?: boolean } = {},
  ) {
    const own = Object.keys(headers).find((name) => PLATFORM_HEADERS.has(name.toLowerCase()))
    if (own !== undefined) throw new Error(`${own} is set by the platform: give the reply a version instead`)
    this.status = status
    this.headers = headers
    this.body = body
    this.version = version
    this.varies = varies
    this.isPart = isPart
  }
}

/** Serialises a reply once, checked against its route's schema, so that it can be sent many times by `preparedJson`. */
export function checkedJson<R extends Route>(route: R, value: ReplyOf<R>): string {
  const parsed = route.reply.safeParse(value)
  if (!parsed.success) {
    throw new Error(`the reply of ${route.name} does not fit the contract`, { cause: parsed.error })
  }
  return JSON.stringify(parsed.data)
}

/** Sends JSON from `checkedJson` (as text or UTF-8 bytes), with a version by which the browser may store it. */
export function preparedJson(json: string | Buffer, version: string): PreparedReply {
  return new PreparedReply(200, {}, json, version)
}

/** Replies that the client's version is still current. */
export function notModified(version: string): PreparedReply {
  return new PreparedReply(304, {}, null, version)
}
