import { ContractError } from '@groundswell/contract/errors.ts'
import { inAccount, type Tx, withoutWorkspace } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import { firstWorkspace } from '../../workspaces/index.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { accountsMeant } from '../hosted/store.ts'
import { endSessions } from '../sessions/store.ts'
import { type MadeAccount, makeAccount, type NewAccount } from './create-account.ts'
import { type AccountRow, accountRows, changeAccount, findAccount } from './store.ts'

/** An account as an operator sees it. */
export type ListedAccount = { id: string; email: string; name: string; isAdmin: boolean; createdAt: Date }

/** Every account, oldest first. */
export async function listAccounts(services: Services): Promise<ListedAccount[]> {
  const rows = await withoutWorkspace(services.db, accountRows)
  return rows.map(({ id, email, name, isAdmin, createdAt }) => ({ id, email, name, isAdmin, createdAt }))
}

/** The workspace that an account was in first; null for an unknown one. */
export function workspaceOfAccount(services: Services, accountId: string): Promise<string | null> {
  return inAccount(services.db, accountId, (tx) => firstWorkspace(tx, accountId))
}

/** Makes an account an admin, at once for every process. False when there is no account with this e-mail address. */
export function grantAdmin(services: Services, email: string): Promise<boolean> {
  return setAdmin(services, email, true)
}

/** Ends an account's being an admin, at once for every process. False when there is no such account. */
export function revokeAdmin(services: Services, email: string): Promise<boolean> {
  return setAdmin(services, email, false)
}

/**
 * Makes an account with a workspace of its own, whatever the sign-up policy is. Its e-mail address counts as confirmed: the
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

/** Signs an account out everywhere, or with null every account, and says how many sign-ins that ended; null: no such account. */
export function signOutEverywhere(services: Services, email: string | null): Promise<number | null> {
  if (services.config.hostedAuth) {
    throw new ContractError('not_configured', 'Sign-ins are kept by the hosted project: end them there')
  }
  return withoutWorkspace(services.db, async (tx) => {
    const at = services.now()
    const one = email === null ? null : await findAccount(tx, email.trim().toLowerCase())
    if (email !== null && !one) return null
    let ended = 0
    for (const { id } of one ? [one] : await accountRows(tx)) {
      const sessions = (await endSessions(tx, id, at)).length
      ended += sessions
      if (sessions === 0) continue
      await recordAudit(tx, { action: 'session.ended', at, actorId: null, accountId: id, detail: { sessions } })
    }
    return ended
  })
}

/** The account that an operator means by an e-mail address. Throws `conflict` when it may be one of several. */
async function accountMeant(services: Services, tx: Tx, email: string): Promise<AccountRow | null> {
  const address = email.trim().toLowerCase()
  const { hostedAuth } = services.config
  if (!hostedAuth) return findAccount(tx, address)
  const [found, ...others] = await accountsMeant(tx, hostedAuth.issuer, address)
  if (others.length > 0) {
    throw new ContractError('conflict', `Several accounts have ${address}. Each is brought up to date when it signs in`)
  }
  return found ?? null
}

function setAdmin(services: Services, email: string, isAdmin: boolean): Promise<boolean> {
  const at = services.now()
  return withoutWorkspace(services.db, async (tx) => {
    const account = await accountMeant(services, tx, email)
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
