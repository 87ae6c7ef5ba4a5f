import { ContractError } from '@groundswell/contract/errors.ts'
import type { AccountTx } from '../../platform/db/tenant.ts'
import { findProvider, hasIndependentOwner } from './store.ts'

/**
 * Throws `conflict` when a workspace requires single sign-on and none of its owners, `without` one of them, can sign in another way: an outage of the
 * provider would lock everyone out. The transaction must be of that workspace and hold the lock of its members.
 */
export async function keepIndependentOwner(tx: AccountTx, workspaceId: string, without?: string): Promise<void> {
  if (!(await findProvider(tx, workspaceId))?.required) return
  if (await hasIndependentOwner(tx, workspaceId, without)) return
  throw new ContractError(
    'conflict',
    'The workspace requires single sign-on: one of its owners must have a password, or sign in with Google',
  )
}
