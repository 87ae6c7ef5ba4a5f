import { randomUUID } from 'node:crypto'
import { ContractError } from '@groundswell/contract/errors.ts'
import { insertWorkspace } from '../../features/workspaces/index.ts'
import type { AccountTx } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { passwordHasher } from '../passwords/hash.ts'
import { refusePassword } from '../passwords/rules.ts'
import { inSignIn } from '../sessions/sign-in-transaction.ts'
import { insertAccount } from './store.ts'

/**
 * The data of a new account. The e-mail address is stored in lower case. `password` is null for an account that only signs in
 * through an identity provider. `confirmed`: the e-mail address is known to be the person's.
 */
export type NewAccount = {
  email: string
  name: string
  password: string | null
  confirmed?: boolean
  /**
   * The owner of the mailbox proved the address, or someone entitled to vouched for it. Defaults to `confirmed`. The first
   * admin always counts as proven.
   */
  proven?: boolean
  userMetadata?: Record<string, unknown>
  appMetadata?: Record<string, unknown>
  /** The account was created by an invitation. */
  invited?: boolean
}

/** A new account and its workspace. */
export type MadeAccount = { accountId: string; workspaceId: string }

/**
 * Creates an account with its own workspace in one transaction. `admit` runs first; it may refuse by throwing, and returns
 * whether the account becomes an admin. `then` runs last, or `taken` when the e-mail address is taken. Throws `invalid_input`
 * for a bad password and, without `taken`, `signup_refused` for a taken address.
 */
export async function makeAccount<T>(
  services: Services,
  account: NewAccount,
  admit: (tx: AccountTx) => Promise<boolean>,
  then: (tx: AccountTx, made: MadeAccount) => Promise<T>,
  taken: (tx: AccountTx, passwordHash: string | null) => Promise<T> = refuseTaken,
): Promise<T> {
  if (account.password !== null) refusePassword(account.password, account.email)
  const passwordHash = account.password === null ? null : await passwordHasher(services).hash(account.password)
  const email = account.email.trim().toLowerCase()
  const workspaceId = randomUUID()
  return inSignIn(services, { workspaceId }, async (tx) => {
    const isAdmin = await admit(tx)
    const at = services.now()
    const {
      name,
      confirmed = false,
      proven = confirmed,
      userMetadata = {},
      appMetadata = {},
      invited = false,
    } = account
    const emailConfirmedAt = confirmed ? at : null
    const emailProvenAt = proven || isAdmin ? at : null
    const invitedAt = invited ? at : null
    const row = {
      email,
      name,
      passwordHash,
      isAdmin,
      emailConfirmedAt,
      emailProvenAt,
      userMetadata,
      appMetadata,
      invitedAt,
    }
    const accountId = await insertAccount(tx, row, at)
    if (accountId === null) return taken(tx, passwordHash)
    await insertWorkspace(tx, workspaceId, name, accountId)
    return then(tx, { accountId, workspaceId })
  })
}

/** Refuses an e-mail address that is taken. */
export async function refuseTaken(): Promise<never> {
  throw new ContractError('signup_refused', 'An account with this e-mail address already exists')
}
