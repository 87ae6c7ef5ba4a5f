import { RENEWAL_MARGIN_MS } from '../../ui/constants.ts'
import { logFailure } from './log.ts'
import { noAnswer } from './request.ts'
import { readAuthSession, readToken } from './token.ts'

const MAX_TIMER_MS = 2 ** 31 - 1

/** The auth client is 23 KiB: it is fetched when a token is about to end, or a screen asks for it. */
export async function authClient() {
  return (await import('./auth-client.ts')).authClient()
}

/** Renews the session when less than the margin is left of it. What it changes is in the storage afterwards. */
async function renew(): Promise<void> {
  await (await authClient()).getSession()
}

/**
 * The token for the next call. Near its end a renewal is begun, and past it awaited, so that a tab that slept does not
 * send what is stale and is signed out for it. Throws CallError 0 when a renewal got no answer.
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

/** Has the session renewed in time. From the first renewal on the auth client does it by itself. */
export function scheduleRenewal(): void {
  clearTimeout(timer)
  const session = readAuthSession()
  if (session === null) return
  const left = session.expires_at * 1000 - Date.now() - RENEWAL_MARGIN_MS
  const begin = () => void renew().catch(logFailure('The session was not renewed'))
  timer = setTimeout(begin, Math.min(Math.max(left, 0), MAX_TIMER_MS))
}
