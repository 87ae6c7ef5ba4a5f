import type { SessionRow } from './store.ts'

const FRESH_MS = 10 * 60_000

/**
 * True when the person authenticated within the last ten minutes. Otherwise they must reauthenticate before they change their
 * credentials: someone else may be using the session.
 */
export function isFresh({ amr }: Pick<SessionRow, 'amr'>, at: Date): boolean {
  const provenAt = Math.max(...amr.map(({ timestamp }) => timestamp * 1_000))
  return at.getTime() - provenAt <= FRESH_MS
}
