import { withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import type { AccountRow } from '../account/store.ts'
import { hasSignedInFrom } from '../sessions/store.ts'
import { limits } from '../throttle/limits.ts'
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
  const refund = await takeTry(services, { email, account }, address)
  let right = false
  try {
    right = await passwordHasher(services).check(account?.passwordHash ?? null, password)
  } catch (error) {
    refund()
    throw error
  }
  if (!right) return false
  refund()
  limits(services).login.clear(address, email)
  return true
}

/** Counts an attempt, or throws `too_many_requests`. Returns the function that refunds it. */
export async function takeTry(
  services: Services,
  { email, account }: { email: string; account: AccountRow | null },
  address: string,
): Promise<() => void> {
  const now = services.now().getTime()
  const { login, login_address, login_account } = limits(services)
  if (!login.take(address, now, email)) refuseTry()
  if (!login_address.take(address, now)) {
    login.refund(address, now, email)
    refuseTry()
  }
  const ofAccount = login_account.take(email, now)
  const refund = () => {
    login.refund(address, now, email)
    login_address.refund(address, now)
    if (ofAccount) login_account.refund(email, now)
  }
  if (ofAccount) return refund
  if (account && (await withoutWorkspace(services.db, (tx) => hasSignedInFrom(tx, account.id, address)))) return refund
  refund()
  return refuseTry()
}
