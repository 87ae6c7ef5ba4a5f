const GOOGLE_KEY = 'google-sign-in-started'
const MAIL_KEY = 'mail-asked-for'

/** A mailed link is valid for ten minutes, and a sign-in at Google may take as long. */
const LIFE_MS = 15 * 60_000

/** Records that this tab left for Google. Only this tab returns from there. */
export function noteGoogleStart(): void {
  sessionStorage.setItem(GOOGLE_KEY, String(Date.now()))
}

/** Whether this tab left for Google and has not returned yet. Clears the record. */
export function takeGoogleStart(): boolean {
  const startedAt = Number(sessionStorage.getItem(GOOGLE_KEY) ?? 0)
  sessionStorage.removeItem(GOOGLE_KEY)
  return isRecent(startedAt)
}

/** Records that this browser requested a mail to an address. Its link may open in another tab. */
export function noteMailRequested(email: string): void {
  localStorage.setItem(MAIL_KEY, JSON.stringify({ ...requestedMails(), [email.trim().toLowerCase()]: Date.now() }))
}

/** Whether this browser recently requested a mail to an address. */
export function wasMailRequested(email: string): boolean {
  return Object.hasOwn(requestedMails(), email.toLowerCase())
}

function requestedMails(): Record<string, number> {
  try {
    const stored = JSON.parse(localStorage.getItem(MAIL_KEY) ?? '{}') as Record<string, number>
    return Object.fromEntries(Object.entries(stored).filter(([, at]) => isRecent(at)))
  } catch {
    return {}
  }
}

function isRecent(at: number): boolean {
  return Date.now() - at < LIFE_MS
}
