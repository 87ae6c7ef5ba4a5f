import type { AccountTx } from '../../platform/db/tenant.ts'
import { announceChangedAccount } from '../sessions/notice-store.ts'
import { deleteFactor, factorsOf, lowerSessions, replaceRecoveryCodes } from './store.ts'

/**
 * Removes a factor; the caller has checked the permission. False when the account has no such factor. After a verified one
 * every session returns to aal1; after the last one the recovery codes are deleted.
 */
export async function removeFactor(tx: AccountTx, accountId: string, factorId: string, at: Date): Promise<boolean> {
  const removed = await deleteFactor(tx, accountId, factorId)
  if (!removed) return false
  if (removed.status === 'verified') {
    await lowerSessions(tx, accountId)
    const left = (await factorsOf(tx, accountId)).some((factor) => factor.status === 'verified')
    if (!left) await replaceRecoveryCodes(tx, accountId, [], at)
    await announceChangedAccount(tx, accountId, at)
  }
  return true
}
