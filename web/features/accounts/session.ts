import { logout } from '@groundswell/contract/accounts.ts'
import { create } from 'zustand'
import { CallError, call, logFailure, readToken, removeToken, storeToken } from '../client/index.ts'
import { clearUserData, refreshUserData } from './user-store.ts'

type Session = { isAuthenticated: boolean; initializing: boolean }

export const useSession = create<Session>(() => ({ isAuthenticated: false, initializing: true }))

let started: Promise<void> | undefined

/** Finds out once, at start-up, whether this browser is signed in: a stored token that still fetches the user data. */
export function startSession(): Promise<void> {
  started ??= restore()
  return started
}

async function restore(): Promise<void> {
  if (readToken() === null) {
    clearUserData()
    useSession.setState({ initializing: false })
    return
  }
  try {
    await refreshUserData()
    useSession.setState({ isAuthenticated: true })
  } catch (error) {
    logFailure('User data could not be loaded')(error)
    if (isRefused(error)) dropSession()
    else if (readToken() !== null) useSession.setState({ isAuthenticated: true })
  } finally {
    useSession.setState({ initializing: false })
  }
}

/** Signs in with a token: stores it, marks the user authenticated, then fetches the user data. Never throws. */
export async function enterSession(token: string): Promise<void> {
  storeToken(token)
  useSession.setState({ isAuthenticated: true })
  try {
    await refreshUserData()
  } catch (error) {
    logFailure('User data could not be loaded')(error)
    if (isRefused(error)) dropSession()
  }
}

/** Signs out: the server is told, without waiting for it, and the browser forgets token and user data. */
export function leaveSession(): void {
  if (readToken() !== null) call(logout, {}).catch(logFailure('The server did not end the session'))
  dropSession()
}

function dropSession(): void {
  removeToken()
  useSession.setState({ isAuthenticated: false })
  clearUserData()
}

/** A 401 to the token we hold: the client has removed it then. A newer token, taken meanwhile, stays. */
function isRefused(error: unknown): boolean {
  return error instanceof CallError && error.status === 401 && readToken() === null
}
