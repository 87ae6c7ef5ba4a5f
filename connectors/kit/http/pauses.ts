import type { Context } from '../../connector.ts'
import { isConnectorFailure, RateLimited } from '../errors.ts'

/** Where neither the provider nor the connector says how long to wait: most limits count by the minute. */
const UNSAID_SECONDS = 60

/** `asked` names the request in messages. `scope` as in `Pauses`; default: everything. */
type Asked = { who: string; asked?: string; scope?: string | undefined }

/** Throws `RateLimited` with the seconds that are left of a pause that the provider asked for. */
export async function requireTurn({ pauses }: Pick<Context, 'pauses'>, { who, asked, scope = '' }: Asked) {
  const left = (await pauses?.left(scope)) ?? 0
  if (left === 0) return
  const message = `${who} asked for a pause, of which ${left} seconds are left${asked ? ` (${asked})` : ''}`
  throw new RateLimited(message, { retryAfter: left })
}

/** Makes a request, and keeps the pause that it asks for, with `RateLimited` or, where it succeeded, with `pause` in seconds. */
export async function keepingPause<T extends { pause: number | null }>(
  { pauses }: Pick<Context, 'pauses'>,
  scope: string | undefined,
  request: () => Promise<T>,
): Promise<T> {
  try {
    const reply = await request()
    if (reply.pause) await pauses?.set(scope ?? '', reply.pause)
    return reply
  } catch (error) {
    if (isConnectorFailure(error) && error.kind === 'rate-limited') {
      await pauses?.set(scope ?? '', error.retryAfter ?? UNSAID_SECONDS)
    }
    throw error
  }
}
