import type { Tx } from '../../platform/db/tenant.ts'
import { announceChangedAccount } from '../sessions/notices.ts'
import { deleteFactor, factorsOf, lowerSessions, replaceRecoveryCodes } from './store.ts'

/**
 * Takes a factor away, from whoever has the right to. False when the account has no such factor. After a verified one every
 * sign-in is of the first level again; after the last one the recovery codes are gone.
 */
export async function removeFactor(tx: Tx, accountId: string, factorId: string, at: Date): Promise<boolean> {
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
