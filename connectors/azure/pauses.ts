import type { Context } from '../connector.ts'
import { RateLimited } from '../kit/errors.ts'

/** Where a refusal does not say how long to wait. */
const UNSAID_SECONDS = 60

/** Throws `RateLimited` while Azure DevOps wants a pause: called before a task of one or more requests. */
export async function requireTurn(context: Context): Promise<void> {
  const seconds = (await context.pauses?.left('')) ?? 0
  if (seconds > 0) {
    throw new RateLimited(`Azure DevOps asked for a pause of ${seconds} seconds`, { retryAfter: seconds })
  }
}

/**
 * Makes one request and keeps the pause that it asks for until the next task. The pause does not stop the task that has begun: once
 * Azure DevOps slows a person down, nearly every response asks for one, and a task of two requests would never end.
 */
export async function keepingPauses<T extends { pause: number | null }>(
  context: Context,
  request: (context: Context) => Promise<T>,
): Promise<T> {
  const { pauses, ...rest } = context
  try {
    const reply = await request(rest)
    if (reply.pause !== null) await pauses?.set('', reply.pause)
    return reply
  } catch (error) {
    if (error instanceof RateLimited) await pauses?.set('', error.retryAfter ?? UNSAID_SECONDS)
    throw error
  }
}

/** For requests to another provider, which knows nothing of these pauses. */
export function withoutPauses(context: Context): Context {
  const { pauses: _, ...rest } = context
  return rest
}
