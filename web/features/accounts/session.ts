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
import { oauthLanding } from './oauth-fragment.ts'
import { personOf } from './person-of.ts'
import { clearUserData, refreshUserData } from './user-store.ts'

type Session = {
  isAuthenticated: boolean
  initializing: boolean
  /** The password was right and a code is still missing: there is a token that opens nothing but the second step. */
  needsSecondFactor: boolean
  /** Why somebody who is known to the sign-in service gets no account here, in the server's words. */
  refusal: string | null
  /** The user data could not be loaded, for another reason than a 401. */
  lacksUserData: boolean
}

export const useSession = create<Session>(() => ({
  isAuthenticated: false,
  initializing: true,
  needsSecondFactor: false,
  refusal: null,
  lacksUserData: false,
}))

let started: Promise<void> | undefined

/**
 * Finds out once, at start-up, whether this browser is signed in: a stored token that still fetches the user data. With one
 * that is refused the page is on its way to the login and shows nothing else before.
 */
export function startSession(): Promise<void> {
  started ??= restore()
  return started
}

async function restore(): Promise<void> {
  onSessionEnd(dropSession)
  addEventListener('storage', followOtherTabs)
  // A sign-in that the address brought is for its screen to take, or to ask about: what is stored is left alone until then.
  if (oauthLanding().signIn !== null) return useSession.setState({ initializing: false })
  if (readToken() === null) dropSession()
  else if (!(await loadUser())) return
  useSession.setState({ initializing: false })
}

/** Signs in: keeps the token, marks the user authenticated, then fetches the user data. Never throws. */
export async function enterSession(signIn: SignIn): Promise<void> {
  storeSignIn(signIn)
  useSession.setState({ isAuthenticated: true, needsSecondFactor: false })
  await loadUser()
}

/** Keeps a sign-in whose second factor is still to come. */
export function awaitSecondFactor(signIn: SignIn): void {
  storeSignIn(signIn)
  useSession.setState({ isAuthenticated: false, needsSecondFactor: true })
  scheduleRenewal()
}

/**
 * Goes on with the token that is stored, after a second factor or a sign-in in another tab. False when the server refused
 * it: the client is leading the browser to the login then. Never throws.
 */
export async function loadUser(): Promise<boolean> {
  const unlessGone = (state: Partial<Session>) => readToken() !== null && useSession.setState(state)
  try {
    await refreshUserData()
    unlessGone({ isAuthenticated: true, needsSecondFactor: false, lacksUserData: false })
  } catch (error) {
    logFailure('User data could not be loaded')(error)
    if (isRefused(error)) {
      dropSession()
      return false
    }
    if (isShutOut(error)) {
      leaveSession()
      useSession.setState({ refusal: error.message })
      return true
    }
    if (lacksSecondFactor(error)) unlessGone({ isAuthenticated: false, needsSecondFactor: true })
    else unlessGone({ isAuthenticated: true, lacksUserData: true })
  }
  scheduleRenewal()
  return true
}

/** Signs out: the server is told, without waiting for it, and the browser forgets token, session and user data. */
export function leaveSession(): void {
  const token = readToken()
  if (readAuthSession() !== null) endSignInOf(token)
  else if (token !== null) call(logout, {}).catch(unended)
  dropSession()
}

/** Says, without waiting for it, that the sign-in of a token is over: to our server, which tells a hosted project it stands before. */
export function endSignInOf(token: string | null): void {
  const built = import.meta.env.VITE_SUPABASE_URL
  const address = built ? `${built}/auth/v1/logout?scope=local` : callAddress(logout)
  fetch(address, { method: 'POST', headers: callHeaders(token), keepalive: true }).catch(unended)
}

const unended = logFailure('The server did not end the session')

function dropSession(): void {
  removeToken()
  useSession.setState({ isAuthenticated: false, needsSecondFactor: false, lacksUserData: false })
  clearUserData()
  scheduleRenewal()
}

/** A sign-out, a sign-in and a finished second step in another tab hold here too. A renewed token needs nothing. */
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

/** A 401 to the token we hold: the client has removed it then. A newer token, taken meanwhile, stays. */
function isRefused(error: unknown): boolean {
  return error instanceof CallError && error.status === 401 && readToken() === null
}

function isShutOut(error: unknown): error is CallError {
  return error instanceof CallError && error.status === 403 && error.code === 'signup_closed'
}

function lacksSecondFactor(error: unknown): boolean {
  return error instanceof CallError && error.status === 403 && error.code === 'mfa_required'
}
