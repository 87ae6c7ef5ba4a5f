import type { Tx } from '../../platform/db/tenant.ts'
import { endSessions } from './store.ts'

/**
 * Ends sign-ins of a person at that person's request and returns their ids. A sign-in that has not given the second factor
 * (`aal1`) ends none that has: a stolen password must not sign the owner out. `aal` is the level of the token that asks.
 */
export function endOwnSessions(
  tx: Tx,
  { accountId, aal }: { accountId: string; aal: 'aal1' | 'aal2' },
  at: Date,
  which: { only?: string; except?: string } = {},
): Promise<string[]> {
  return endSessions(tx, accountId, at, aal === 'aal2' ? which : { ...which, aal: 'aal1' })
}
