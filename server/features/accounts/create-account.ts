import { randomUUID } from 'node:crypto'
import { ContractError } from '@groundswell/contract/errors.ts'
import { inWorkspace, type Tx } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { hashPassword, passwordFault } from './passwords.ts'
import { insertAccount, insertWorkspace } from './store.ts'

/** What a new account is made of. The e-mail address is kept in lower case. */
export type NewAccount = { email: string; name: string; password: string }

/** Where a new account stands. */
export type MadeAccount = { accountId: string; workspaceId: string }

/**
 * Makes an account with a workspace of its own, all or nothing. `admit` runs first in the same transaction, may refuse by
 * throwing, and says whether the account is to be an admin; `then` runs last in it.
 */
export async function makeAccount<T>(
  services: Services,
  account: NewAccount,
  admit: (tx: Tx) => Promise<boolean>,
  then: (tx: Tx, made: MadeAccount) => Promise<T>,
): Promise<T> {
  const fault = passwordFault(account.password)
  if (fault) throw new ContractError('invalid_input', fault, { password: fault })
  const email = account.email.trim().toLowerCase()
  const passwordHash = await hashPassword(account.password)
  const workspaceId = randomUUID()
  return inWorkspace(services.db, workspaceId, async (tx) => {
    const isAdmin = await admit(tx)
    const accountId = await insertAccount(tx, { email, name: account.name, passwordHash, isAdmin })
    if (accountId === null) {
      throw new ContractError('signup_refused', 'There is an account with this e-mail address already')
    }
    await insertWorkspace(tx, workspaceId, account.name, accountId)
    return then(tx, { accountId, workspaceId })
  })
}
