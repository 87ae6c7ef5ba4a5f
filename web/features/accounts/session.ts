import { logout } from '@groundswell/contract/accounts.ts'
import { create } from 'zustand'
import { TOKEN_KEY } from '../../ui/constants.ts'
import {
  CallError,
  call,
  callAddress,
  callHeaders,
  logFailure,
  onSessionEnd,
  readAuthSession,
  readToken,
  removeToken,
  type SignIn,
  scheduleRenewal,
  storeSignIn,
} from '../client/index.ts'
import { personOf } from './person-of.ts'
import { oauthLanding } from './sign-in/oauth-fragment.ts'
import { clearUserData, refreshUserData } from './user-store.ts'

type Session = {
  isAuthenticated: boolean
  initializing: boolean
  /** The second factor is still missing: there is a token that allows nothing else. */
  needsSecondFactor: boolean
  /** The workspace requires single sign-on, and this session was not created through it. */
  needsSso: boolean
  /** Why a person known to the sign-in service gets no account here, in the server's words. */
  refusal: string | null
  /** The user data could not be loaded, for a reason other than a 401. */
  lacksUserData: boolean
}

/** The session of this tab. `initializing` until `startSession` has decided. */
export const useSession = create<Session>(() => ({
  isAuthenticated: false,
  initializing: true,
  needsSecondFactor: false,
  needsSso: false,
  refusal: null,
  lacksUserData: false,
}))

let started: Promise<void> | undefined

/**
 * Determines once, at startup, whether this browser is signed in: whether a stored token still fetches the user data. If it
 * is refused, the page goes to the login and shows nothing else first.
 */
export function startSession(): Promise<void> {
  started ??= restore()
  return started
}

async function restore(): Promise<void> {
  onSessionEnd(dropSession)
  addEventListener('storage', followOtherTabs)
  // A sign-in from the URL is handled by its screen: the stored session stays untouched until then.
  if (oauthLanding().signIn !== null) return useSession.setState({ initializing: false })
  if (readToken() === null) dropSession()
  else if (!(await loadUser())) return
  useSession.setState({ initializing: false })
}

/** Signs in: stores the token, marks the user authenticated, then fetches the user data. Never throws. */
export async function enterSession(signIn: SignIn): Promise<void> {
  storeSignIn(signIn)
  useSession.setState({ isAuthenticated: true, needsSecondFactor: false })
  await loadUser()
}

/** Stores a session that has yet to pass the second factor. */
export function awaitSecondFactor(signIn: SignIn): void {
  storeSignIn(signIn)
  useSession.setState({ isAuthenticated: false, needsSecondFactor: true })
  scheduleRenewal()
}

/**
 * Continues with the stored token, after a second factor or a sign-in in another tab. False when the server refused it: the
 * client is then redirecting to the login. Never throws.
 */
export async function loadUser(): Promise<boolean> {
  const unlessGone = (state: Partial<Session>) => readToken() !== null && useSession.setState(state)
  try {
    await refreshUserData()
    unlessGone({ isAuthenticated: true, needsSecondFactor: false, needsSso: false, lacksUserData: false })
  } catch (error) {
    logFailure('User data could not be loaded')(error)
    if (isRefused(error)) {
      dropSession()
      return false
    }
    if (refusedFor(error, 'signup_closed')) {
      leaveSession()
      useSession.setState({ refusal: error.message })
      return true
    }
    if (refusedFor(error, 'mfa_required')) unlessGone({ isAuthenticated: false, needsSecondFactor: true })
    else if (refusedFor(error, 'sso_required')) unlessGone({ isAuthenticated: false, needsSso: true })
    else unlessGone({ isAuthenticated: true, lacksUserData: true })
  }
  scheduleRenewal()
  return true
}

/** Signs out: notifies the server without waiting for it, and clears token, session and user data. */
export function leaveSession(): void {
  const token = readToken()
  if (readAuthSession() !== null) endSignInOf(token)
  else if (token !== null) call(logout, {}).catch(unended)
  dropSession()
}

/** Ends the session of a token on our server, which passes it on to a hosted project, without waiting for it. */
export function endSignInOf(token: string | null): void {
  const built = import.meta.env.VITE_SUPABASE_URL
  const address = built ? `${built}/auth/v1/logout?scope=local` : callAddress(logout)
  fetch(address, { method: 'POST', headers: callHeaders(token), keepalive: true }).catch(unended)
}

const unended = logFailure('The server did not end the session')

function dropSession(): void {
  removeToken()
  useSession.setState({ isAuthenticated: false, needsSecondFactor: false, needsSso: false, lacksUserData: false })
  clearUserData()
  scheduleRenewal()
}

/** Follows a sign-out, a sign-in and a passed second factor in another tab. A renewed token needs no action. */
function followOtherTabs({ key, oldValue }: StorageEvent): void {
  if (key !== TOKEN_KEY && key !== null) return
  const token = readToken()
  const { isAuthenticated } = useSession.getState()
  if (token === null) {
    dropSession()
    useSession.setState({ initializing: false })
  } else if (!isAuthenticated) void loadUser()
  else if (oldValue !== null && personOf(oldValue) !== personOf(token)) location.reload()
}

/** A 401 for the current token: the client has then removed it. A newer token, stored in the meantime, stays. */
function isRefused(error: unknown): boolean {
  return error instanceof CallError && error.status === 401 && readToken() === null
}

function refusedFor(error: unknown, code: CallError['code']): error is CallError {
  return error instanceof CallError && error.status === 403 && error.code === code
}
