import { withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import type { AccountRow } from '../account/store.ts'
import { hasSignedInFrom } from '../sessions/store.ts'
import { type Attempt, refund, takeEach } from '../throttle/limits.ts'
import { refuseTry } from '../throttle/throttle.ts'
import { passwordHasher } from './hash.ts'

/**
 * Checks a password. Everything that reveals whether a password is right counts against the same limits. An attempt is
 * counted before the password is hashed, so that concurrent attempts get no more checks than sequential ones, and refunded
 * when the password was right or was not checked at all. Throws `too_many_requests`.
 *
 * Attempts count for the account and address together, for the address, and for the account from addresses that never signed
 * in to it, so that no one can lock the owner out of an address they use.
 */
export async function tryPassword(
  services: Services,
  { email, account }: { email: string; account: AccountRow | null },
  password: string,
  address: string,
): Promise<boolean> {
  const taken = await takeTry(services, { email, account }, address)
  let right = false
  try {
    right = await passwordHasher(services).check(account?.passwordHash ?? null, password)
  } catch (error) {
    await refund(services, taken)
    throw error
  }
  if (right) await refund(services, taken, [{ limit: 'login', address, subject: email }])
  return right
}

/** Counts an attempt, or throws `too_many_requests`. Returns what was counted, for `refund`. */
export async function takeTry(
  services: Services,
  { email, account }: { email: string; account: AccountRow | null },
  address: string,
): Promise<Attempt[]> {
  const attempts: Attempt[] = [
    { limit: 'login', address, subject: email },
    { limit: 'login_address', address },
    { limit: 'login_account', key: email },
  ]
  const left = await takeEach(services, attempts)
  const counted = attempts.filter((_attempt, index) => left[index])
  const [ofBoth, ofAddress, ofAccount] = left
  if (ofBoth && ofAddress) {
    if (ofAccount) return counted
    if (account && (await withoutWorkspace(services.db.accounts, (tx) => hasSignedInFrom(tx, account.id, address))))
      return counted
  }
  await refund(services, counted)
  return refuseTry()
}
