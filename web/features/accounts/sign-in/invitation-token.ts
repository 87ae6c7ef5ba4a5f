const KEY = 'invitation'
/** A sign-up on the way may wait for a mailed link. */
const LIFE_MS = 60 * 60_000

/** The screen on which an invitation is accepted. */
export const JOIN_PATH = '/auth?step=join'

/**
 * Moves the token of an invitation from the fragment of the URL, which no server sees, to the storage of this browser, so that it is in no
 * history entry and survives a sign-in or sign-up on the way.
 */
export function takeInvitation(): void {
  const token = /^#invitation=([\w-]+)$/.exec(location.hash)?.[1]
  if (token === undefined) return
  localStorage.setItem(KEY, JSON.stringify({ token, at: Date.now() }))
  history.replaceState(history.state, '', JOIN_PATH)
}

/** The token of the invitation that this browser was opened with in the last hour, and that was neither accepted nor declined; or null. */
export function pendingInvitation(): string | null {
  try {
    const { token, at } = JSON.parse(localStorage.getItem(KEY) ?? '{}') as { token?: string; at?: number }
    return token !== undefined && at !== undefined && Date.now() - at < LIFE_MS ? token : null
  } catch {
    return null
  }
}

/** Removes the token that this browser keeps until its person has signed in. */
export function forgetInvitation(): void {
  localStorage.removeItem(KEY)
}
