import * as z from 'zod/mini'
import type { HttpResponse } from '../../connector.ts'
import { parseJson } from './parse-json.ts'
import { MAX_WAIT_SECONDS, retryAfter } from './retry-after.ts'

/** The seconds to wait before the next request, if a response asks for a pause; null if it does not. It never throws. */
export type LimitReader = (response: HttpResponse, now: Date) => number | null

/** The wait where a provider reports a limit but not its end: most count by the minute. */
const UNSAID_SECONDS = 60
/** The earliest plausible time in epoch seconds (2001) and in milliseconds. Smaller numbers are seconds from now. */
const EPOCH_SECONDS = 1e9
const EPOCH_MILLISECONDS = 1e11

/** A wait in a header, as seconds or as an HTTP date: `Retry-After`, or a header with the same content. At most a day. */
export function waitHeader(name = 'retry-after'): LimitReader {
  return ({ headers }, now) => {
    const value = headers[name]
    if (value === undefined) return null
    const fraction = /^(\d{1,10})\.\d+$/.exec(value.trim())
    const seconds = fraction ? String(Number(fraction[1]) + 1) : value
    return retryAfter({ 'retry-after': seconds }, now) ?? null
  }
}

/**
 * The time at which a limit ends: epoch seconds, epoch milliseconds or seconds from now, distinguished by their size. From one
 * second, so that a fast clock here causes no busy loop, to a day.
 */
export function resetHeader(name: string): LimitReader {
  return ({ headers }, now) => {
    const value = headers[name]?.trim() ?? ''
    if (!/^\d{1,15}(\.\d+)?$/.test(value)) return null
    const number = Number(value)
    const clock = now.getTime() / 1000
    const seconds =
      number >= EPOCH_MILLISECONDS ? number / 1000 - clock : number >= EPOCH_SECONDS ? number - clock : number
    return Math.min(Math.max(Math.ceil(seconds), 1), MAX_WAIT_SECONDS)
  }
}

/** A budget that is used up: `remaining` is 0, and `reset` is a header for `resetHeader`. Also on a successful response. */
export function exhausted(remaining: string, reset: string): LimitReader {
  const until = resetHeader(reset)
  return (response, now) => {
    const left = response.headers[remaining]?.trim() ?? ''
    return /^-?\d+(\.\d+)?$/.test(left) && Number(left) <= 0 ? until(response, now) : null
  }
}

/** The longest wait that one of them asks for. */
export function longest(...readers: readonly LimitReader[]): LimitReader {
  return (response, now) => {
    const waits = readers.map((reader) => reader(response, now)).filter((wait) => wait !== null)
    return waits.length === 0 ? null : Math.max(...waits)
  }
}

/** The wait of the first that asks for one. */
export function first(...readers: readonly LimitReader[]): LimitReader {
  return (response, now) => {
    for (const reader of readers) {
      const wait = reader(response, now)
      if (wait !== null) return wait
    }
    return null
  }
}

/** Status 429: the first of `waits` that is present, or a minute. */
export function tooManyRequests(...waits: readonly LimitReader[]): LimitReader {
  const wait = first(...waits, waitHeader())
  return (response, now) => (response.status === 429 ? (wait(response, now) ?? UNSAID_SECONDS) : null)
}

/**
 * Limits that are reported with 403 or 429, where 403 has other meanings too: it is a limit with `Retry-After`, with a used-up
 * `X-RateLimit-Remaining`, or where `message` in the JSON of the body mentions a rate limit.
 */
export const forbiddenOrTooMany: LimitReader = (response, now) => {
  if (response.status !== 403 && response.status !== 429) return null
  const wait = first(waitHeader(), exhausted('x-ratelimit-remaining', 'x-ratelimit-reset'))(response, now)
  if (wait !== null || response.status === 429) return wait ?? UNSAID_SECONDS
  const body = Message.safeParse(parseJson(response.body))
  return body.success && /\brate limit|\babuse detection/i.test(body.data.message) ? UNSAID_SECONDS : null
}
const Message = z.object({ message: z.string() })

/** A GraphQL error with this code (`errors[].extensions.code`), whatever the status: the first of `waits`, or a minute. */
export function graphqlLimit(code: string, ...waits: readonly LimitReader[]): LimitReader {
  const wait = first(...waits)
  return (response, now) => {
    if (!response.body.includes(code)) return null
    const body = CodedErrors.safeParse(parseJson(response.body))
    if (!body.success || !body.data.errors.some(({ extensions }) => extensions?.code === code)) return null
    return wait(response, now) ?? UNSAID_SECONDS
  }
}
const CodedErrors = z.object({
  errors: z.array(z.object({ extensions: z.optional(z.nullable(z.object({ code: z.optional(z.unknown()) }))) })),
})

/** A successful response that was slowed down: `Retry-After`, or else the delay that was applied, `X-RateLimit-Delay`. */
export const slowedDown: LimitReader = (response, now) => {
  if (response.status < 200 || response.status > 299) return null
  const wait = first(waitHeader(), waitHeader('x-ratelimit-delay'))(response, now)
  return wait === 0 ? null : wait
}
