import type { ReplyOf, Route } from '@groundswell/contract/route.ts'
import type { Tagged } from './call-unless-same.ts'
import { freshToken } from './renewal.ts'
import { checkReply } from './reply-check.ts'
import { callAddress, callHeaders, noAnswer, settle } from './request.ts'

/** A reply that says whether changes since it may be requested. */
export type WithDelta<R> = Tagged<R> & { offered: boolean }

/** The header that offers changes and asks for them, and how they are applied to the reply before. */
export type Delta<R> = { header: string; apply: (before: R, changes: unknown) => { reply: R; sample: unknown } }

/**
 * Like `callUnlessSame`, for a list whose changes alone the server sends. The first call is a plain one, and so is every call
 * to a server that does not offer changes in its reply.
 */
export async function callForDelta<T extends Route>(
  route: T,
  last: WithDelta<ReplyOf<T>> | undefined,
  delta: Delta<ReplyOf<T>>,
): Promise<WithDelta<ReplyOf<T>>> {
  const token = await freshToken()
  const base = last?.offered && last.token === token ? last : undefined
  // A condition that we set ourselves: the browser neither answers from its cache nor stores a partial reply.
  const asking: Record<string, string> = base?.etag ? { 'If-None-Match': base.etag, [delta.header]: 'wanted' } : {}
  let answer: Response
  let text: string
  try {
    answer = await fetch(callAddress(route), { method: route.method, headers: { ...callHeaders(token), ...asking } })
    const etag = answer.headers.get('etag')
    const same = answer.ok && etag !== null && etag === last?.etag && token === last.token
    if (last && (same || (base && answer.status === 304))) {
      void answer.body?.cancel()
      return last
    }
    text = await answer.text()
  } catch {
    throw noAnswer()
  }
  const etag = answer.headers.get('etag')
  const applied = answer.headers.get(delta.header)
  if (base && answer.ok && applied === 'since') {
    const { reply, sample } = delta.apply(base.reply, JSON.parse(text))
    checkReply(route, sample)
    return { reply, etag, token, offered: true }
  }
  return { reply: settle<ReplyOf<T>>(route, token, answer.status, text), etag, token, offered: applied === 'offered' }
}
