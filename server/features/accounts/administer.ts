import {
  accountByAddress,
  accountRows,
  changeAccount,
  type MadeAccount,
  makeAccount,
  type NewAccount,
  recordAudit,
} from '../../auth/index.ts'
import { inAccount, withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { firstWorkspace } from '../workspaces/index.ts'

/** An account as an operator sees it. */
export type ListedAccount = { id: string; email: string; name: string; isAdmin: boolean; createdAt: Date }

/** Every account, oldest first. */
export async function listAccounts(services: Services): Promise<ListedAccount[]> {
  const rows = await withoutWorkspace(services.db.accounts, accountRows)
  return rows.map(({ id, email, name, isAdmin, createdAt }) => ({ id, email, name, isAdmin, createdAt }))
}

/** The workspace that an account joined first; null for an unknown account. */
export function workspaceOfAccount(services: Services, accountId: string): Promise<string | null> {
  return inAccount(services.db, accountId, (tx) => firstWorkspace(tx, accountId))
}

/** Makes an account an admin, with immediate effect in every process. False when no account has this e-mail address. */
export function grantAdmin(services: Services, email: string): Promise<boolean> {
  return setAdmin(services, email, true)
}

/** Revokes an account's admin role, with immediate effect in every process. False when there is no such account. */
export function revokeAdmin(services: Services, email: string): Promise<boolean> {
  return setAdmin(services, email, false)
}

/**
 * Creates an account with its own workspace, whatever the sign-up policy is. Its e-mail address counts as confirmed: the
 * operator vouches for it. Throws `invalid_input` for a bad password and `signup_refused` when the address is taken.
 */
export function createAccount(services: Services, account: NewAccount & { isAdmin?: boolean }): Promise<MadeAccount> {
  return makeAccount(
    services,
    { confirmed: true, ...account },
    async () => account.isAdmin ?? false,
    async (tx, made) => {
      await recordAudit(tx, { action: 'account.created', at: services.now(), actorId: null, ...made })
      return made
    },
  )
}

function setAdmin(services: Services, email: string, isAdmin: boolean): Promise<boolean> {
  const at = services.now()
  return withoutWorkspace(services.db.accounts, async (tx) => {
    const account = await accountByAddress(services, tx, email)
    if (!account) return false
    await changeAccount(tx, account.id, { isAdmin }, at)
    await recordAudit(tx, {
      action: isAdmin ? 'admin.granted' : 'admin.revoked',
      at,
      actorId: null,
      accountId: account.id,
    })
    return true
  })
}
