import { ContractError } from '@groundswell/contract/errors.ts'
import type { AccountTx } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { accountsMatching } from '../hosted/store.ts'
import { type AccountRow, findAccount } from './store.ts'

/** The account that an operator names by its e-mail address. Throws `conflict` when several accounts match. */
export async function accountByAddress(
  services: Pick<Services, 'config'>,
  tx: AccountTx,
  email: string,
): Promise<AccountRow | null> {
  const address = email.trim().toLowerCase()
  const { hostedAuth } = services.config
  if (!hostedAuth) return findAccount(tx, address)
  const [found, ...others] = await accountsMatching(tx, hostedAuth.issuer, address)
  if (others.length > 0) {
    throw new ContractError('conflict', `Several accounts have ${address}. Each is updated when its owner signs in`)
  }
  return found ?? null
}
