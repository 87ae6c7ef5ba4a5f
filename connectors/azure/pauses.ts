import { createHash } from 'node:crypto'
import type { Context } from '../connector.ts'
import { RateLimited } from '../kit/errors.ts'

/** When the pauses end that successful responses asked for, in epoch milliseconds, by organisation and credentials. */
const noPauses = () => new Map<string, number>()

type Who = { organisation: string; authorization: string }

function keyOf({ baseUrl }: Context, { organisation, authorization }: Who): string {
  return createHash('sha256')
    .update(`${baseUrl ?? ''}\n${organisation}\n${authorization}`)
    .digest('base64')
}

/** Keeps a pause until the next task. What has begun is finished, so that a task of several requests is not begun again and again. */
export function notePause(context: Context, who: Who, seconds: number): void {
  const pauses = context.cache(noPauses)
  const now = context.now().getTime()
  for (const [key, until] of pauses) if (until <= now) pauses.delete(key)
  pauses.set(keyOf(context, who), now + seconds * 1000)
}

/** Throws `RateLimited` while Azure DevOps wants a pause. */
export function requireNoPause(context: Context, who: Who): void {
  const until = context.cache(noPauses).get(keyOf(context, who)) ?? 0
  const seconds = Math.ceil((until - context.now().getTime()) / 1000)
  if (seconds > 0) {
    throw new RateLimited(`Azure DevOps asked for a pause of ${seconds} seconds`, { retryAfter: seconds })
  }
}
