import type { CredentialLife } from '../store.ts'

const MARGIN_MS = 5 * 60_000
/** The part of a short life that is left when its refresh begins. */
const MARGIN_PART = 1 / 4

/** When credentials that were issued at `at` are refreshed: 5 minutes before they end, later where their whole life is short. */
export function lifeOf(expiresAt: Date | null | undefined, at: Date): CredentialLife {
  if (!expiresAt) return { expiresAt: null, renewAt: null }
  const life = Math.max(0, expiresAt.getTime() - at.getTime())
  return { expiresAt, renewAt: new Date(expiresAt.getTime() - Math.min(MARGIN_MS, life * MARGIN_PART)) }
}
