import { AUTH_SESSION_KEY, TOKEN_KEY } from '../../ui/constants.ts'

/** The result of a sign-in. Without a refresh token (another server's opaque token) the token is stored and never renewed. */
export type SignIn = {
  token: string
  refresh_token?: string | null | undefined
  /** Unix time in seconds. */
  expires_at?: number | null | undefined
}

/** The fields of the auth client's stored session that we use; times are Unix seconds. */
export type AuthSession = { access_token: string; refresh_token: string; expires_at: number }

/** The bearer token of this browser, or null. */
export function readToken(): string | null {
  return localStorage.getItem(TOKEN_KEY)
}

/** The stored session that the token belongs to, or null: then the token cannot be renewed. */
export function readAuthSession(): AuthSession | null {
  try {
    const session = JSON.parse(localStorage.getItem(AUTH_SESSION_KEY) ?? 'null') as AuthSession | null
    return session !== null && session.access_token === readToken() ? session : null
  } catch {
    return null
  }
}

/** Stores a sign-in: `token` for the calls and, when it can be renewed, the session in the auth client's format. */
export function storeSignIn({ token, refresh_token, expires_at }: SignIn): void {
  if (refresh_token && expires_at) {
    const expires_in = Math.round(expires_at - Date.now() / 1000)
    const session = { access_token: token, token_type: 'bearer', refresh_token, expires_at, expires_in }
    localStorage.setItem(AUTH_SESSION_KEY, JSON.stringify(session))
  } else localStorage.removeItem(AUTH_SESSION_KEY)
  storeToken(token)
}

/** Keeps the session token in local storage. */
export function storeToken(token: string): void {
  localStorage.setItem(TOKEN_KEY, token)
}

/** Removes the token and the session that could renew it. */
export function removeToken(): void {
  localStorage.removeItem(TOKEN_KEY)
  localStorage.removeItem(AUTH_SESSION_KEY)
}

let ended: () => void = () => undefined

/** Sets the handler for a session that the server has ended. */
export function onSessionEnd(listener: () => void): void {
  ended = listener
}

/** Called by the auth client when the session is over. */
export function endSession(): void {
  removeToken()
  ended()
}
