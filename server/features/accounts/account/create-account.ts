import { randomUUID } from 'node:crypto'
import { ContractError } from '@groundswell/contract/errors.ts'
import { inWorkspace, type Tx } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import { insertWorkspace } from '../../workspaces/index.ts'
import { hashPassword } from '../passwords/hash.ts'
import { refusePassword } from '../passwords/rules.ts'
import { knownTokens } from '../sessions/known-tokens.ts'
import { insertAccount } from './store.ts'

/**
 * What a new account is made of. The e-mail address is kept in lower case. `password` is null for one that signs in by an
 * identity provider only. `confirmed`: the e-mail address is known to be the person's.
 */
export type NewAccount = {
  email: string
  name: string
  password: string | null
  confirmed?: boolean
  /** Someone who can say so vouches that it is. Left out: the same as `confirmed`. The first admin is the operator's. */
  proven?: boolean
  userMetadata?: Record<string, unknown>
  appMetadata?: Record<string, unknown>
  /** An invitation was mailed for it. */
  invited?: boolean
}

/** Where a new account stands. */
export type MadeAccount = { accountId: string; workspaceId: string }

/**
 * Makes an account with a workspace of its own, all or nothing. `admit` runs first in the same transaction, may refuse by
 * throwing, and says whether the account is to be an admin; `then` runs last in it, or `taken` when the e-mail address is
 * taken. Throws `invalid_input` for a bad password and, without `taken`, `signup_refused` for a taken address.
 */
export async function makeAccount<T>(
  services: Services,
  account: NewAccount,
  admit: (tx: Tx) => Promise<boolean>,
  then: (tx: Tx, made: MadeAccount) => Promise<T>,
  taken: (tx: Tx, passwordHash: string | null) => Promise<T> = refuseTaken,
): Promise<T> {
  await knownTokens(services).ready()
  if (account.password !== null) refusePassword(account.password, account.email)
  const passwordHash = account.password === null ? null : await hashPassword(account.password)
  const email = account.email.trim().toLowerCase()
  const workspaceId = randomUUID()
  return inWorkspace(services.db, workspaceId, async (tx) => {
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
  throw new ContractError('signup_refused', 'There is an account with this e-mail address already')
}
