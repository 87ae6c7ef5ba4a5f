import type { ReplyOf, Route } from '@groundswell/contract/route.ts'
import { freshToken } from './renewal.ts'
import { callAddress, callHeaders, noAnswer, settle } from './request.ts'

/** A reply, the token it was asked for with, and its ETag; null where the server sends none, or the browser may not see it. */
export type Tagged<R> = { reply: R; etag: string | null; token: string | null }

/**
 * As `call`, for a reply that is asked for again and again and may be long: when it comes with the ETag of `last`, `last` is
 * returned and nothing is read. (To a 304 the browser gives what it has kept, with the ETag that came with that.)
 */
export async function callUnlessSame<T extends Route>(
  route: T,
  last: Tagged<ReplyOf<T>> | undefined,
): Promise<Tagged<ReplyOf<T>>> {
  const token = await freshToken()
  let answer: Response
  let etag: string | null
  let text: string
  try {
    answer = await fetch(callAddress(route), { method: route.method, headers: callHeaders(token) })
    etag = answer.headers.get('etag')
    if (last && answer.ok && etag !== null && etag === last.etag && token === last.token) {
      void answer.body?.cancel()
      return last
    }
    text = await answer.text()
  } catch {
    throw noAnswer()
  }
  return { reply: settle<ReplyOf<T>>(route, token, answer.status, text), etag, token }
}
