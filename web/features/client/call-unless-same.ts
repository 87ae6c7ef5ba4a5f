import type { ReplyOf, Route } from '@groundswell/contract/route.ts'
import { freshToken } from './renewal.ts'
import { type AddressParts, callAddress, callHeaders, noAnswer, settle } from './request.ts'

/** A reply, the token it was requested with, and its ETag; null where the server sends none, or the browser may not see it. */
export type Tagged<R> = { reply: R; etag: string | null; token: string | null }

/**
 * Like `call`, for a long reply that is requested repeatedly: when its ETag is that of `last`, `last` is returned and nothing is
 * parsed. (For a 304 the browser returns the cached body and its ETag.)
 */
export async function callUnlessSame<T extends Route>(
  route: T,
  last: Tagged<ReplyOf<T>> | undefined,
  { query }: { query?: AddressParts } = {},
): Promise<Tagged<ReplyOf<T>>> {
  const token = await freshToken()
  let answer: Response
  let etag: string | null
  let text: string
  try {
    answer = await fetch(callAddress(route, {}, query), { method: route.method, headers: callHeaders(token) })
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
