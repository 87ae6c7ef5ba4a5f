import { RENEWAL_MARGIN_MS } from '../../ui/constants.ts'
import { logFailure } from './log.ts'
import { noAnswer } from './request.ts'
import { readAuthSession, readToken } from './token.ts'

const MAX_TIMER_MS = 2 ** 31 - 1

/** The auth client is 23 KiB: it is fetched when a token is about to expire, or a screen needs it. */
export async function authClient() {
  return (await import('./auth-client.ts')).authClient()
}

/** Renews the session when less than the margin is left of it. The result is in the storage afterwards. */
async function renew(): Promise<void> {
  await (await authClient()).getSession()
}

/**
 * The token for the next call. A renewal is started shortly before it expires, and awaited once it has expired, so that a tab that slept
 * does not send an expired token and get signed out. Throws CallError 0 when a renewal got no response.
 */
export async function freshToken(): Promise<string | null> {
  const session = readAuthSession()
  if (session === null) return readToken()
  const left = session.expires_at * 1000 - Date.now()
  if (left > RENEWAL_MARGIN_MS) return session.access_token
  const renewing = renew().catch(logFailure('The session was not renewed'))
  if (left > 0) return session.access_token
  await renewing
  if (readToken() === session.access_token) throw noAnswer()
  return readToken()
}

let timer: ReturnType<typeof setTimeout> | undefined

/** Schedules the renewal of the session. From the first renewal on the auth client does it automatically. */
export function scheduleRenewal(): void {
  clearTimeout(timer)
  const session = readAuthSession()
  if (session === null) return
  const left = session.expires_at * 1000 - Date.now() - RENEWAL_MARGIN_MS
  const begin = () => void renew().catch(logFailure('The session was not renewed'))
  timer = setTimeout(begin, Math.min(Math.max(left, 0), MAX_TIMER_MS))
}
