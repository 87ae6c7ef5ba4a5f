import type { AccountTx } from '../../platform/db/tenant.ts'
import { endSessions } from './store.ts'

/**
 * Ends sessions of a person at their own request and returns their ids. A session at aal1 cannot end an aal2 session: a
 * stolen password must not sign the owner out. `aal` is the level of the requesting token.
 */
export function endOwnSessions(
  tx: AccountTx,
  { accountId, aal }: { accountId: string; aal: 'aal1' | 'aal2' },
  at: Date,
  which: { only?: string; except?: string } = {},
): Promise<string[]> {
  return endSessions(tx, accountId, at, aal === 'aal2' ? which : { ...which, aal: 'aal1' })
}
