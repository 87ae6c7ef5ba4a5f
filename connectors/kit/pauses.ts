import type { Context } from '../connector.ts'
import { isConnectorFailure, RateLimited } from './errors.ts'

/** Where neither the provider nor the connector says how long to wait: most limits count by the minute. */
const UNSAID_SECONDS = 60

/** `asked` names the request in messages. `scope` as in `Pauses`; default: everything. */
type Paused = { who: string; asked: string; scope?: string | undefined }

/**
 * Makes a request, unless the provider asked for a pause that is not over: then it throws `RateLimited` with the seconds that are left.
 * Keeps the pause that the request asks for, with `RateLimited` or, where it succeeded, with `pause` in seconds.
 */
export async function outsidePauses<T extends { pause: number | null }>(
  { pauses }: Pick<Context, 'pauses'>,
  { who, asked, scope = '' }: Paused,
  request: () => Promise<T>,
): Promise<T> {
  const left = (await pauses?.left(scope)) ?? 0
  if (left > 0) {
    const message = `${who} asked for a pause, of which ${left} seconds are left (${asked})`
    throw new RateLimited(message, { retryAfter: left })
  }
  try {
    const reply = await request()
    if (reply.pause) await pauses?.set(scope, reply.pause)
    return reply
  } catch (error) {
    if (isConnectorFailure(error) && error.kind === 'rate-limited') {
      await pauses?.set(scope, error.retryAfter ?? UNSAID_SECONDS)
    }
    throw error
  }
}
