import type { SessionRow } from './store.ts'

const FRESH_MS = 10 * 60_000

/**
 * True when the person of a sign-in proved who they are within the last ten minutes. Who did longer ago must do it again
 * before they change what they sign in by: the sign-in may be somebody else's by now.
 */
export function isFresh({ amr }: Pick<SessionRow, 'amr'>, at: Date): boolean {
  const provenAt = Math.max(...amr.map(({ timestamp }) => timestamp * 1_000))
  return at.getTime() - provenAt <= FRESH_MS
}
