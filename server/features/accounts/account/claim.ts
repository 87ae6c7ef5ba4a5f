import { randomUUID } from 'node:crypto'
import type { Tx } from '../../../platform/db/tenant.ts'
import { cutOffWorkspace } from '../../connections/index.ts'
import { firstWorkspace, insertWorkspace, membershipsOf, renameWorkspace } from '../../workspaces/index.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { enterWorkspace } from '../mine/store.ts'
import type { From } from '../sessions/issue-session.ts'
import { endSessions } from '../sessions/store.ts'
import { deleteWaysIn } from './claim-store.ts'
import { type AccountRow, changeAccount, insertAccount } from './store.ts'

/** How the owner of a mailbox wants their account to be. */
export type Owner = { name: string; passwordHash: string | null; userMetadata: Record<string, unknown> }

type By = { at: Date; request: From }

/** A displaced account is banned until then, so that no way leads into it. */
const FOR_GOOD = new Date('9999-12-31T00:00:00Z')

/**
 * Gives an address that was never proven to the person who has proven it now by a sign-up of their own or an identity
 * provider, and returns the id of their account. Whoever typed the address before keeps no way in. An account that was ever
 * signed in to is displaced: its workspace stays with it, and the owner starts with an empty one. The transaction must be of
 * the account and hold its lock.
 */
export async function claimAddress(tx: Tx, account: AccountRow, owner: Owner, by: By): Promise<string> {
  const { at } = by
  const proven = { emailConfirmedAt: at, emailProvenAt: at, contested: false }
  if (account.lastSignInAt !== null) {
    await displaceAccount(tx, account, by)
    const row = { email: account.email, ...owner, isAdmin: false, appMetadata: {}, invitedAt: null, ...proven }
    const accountId = await insertAccount(tx, row, at)
    if (accountId === null) throw new Error('a displaced account still has its address')
    const workspaceId = randomUUID()
    await enterWorkspace(tx, workspaceId)
    await insertWorkspace(tx, workspaceId, owner.name, accountId)
    const deed = { actorId: accountId, accountId, workspaceId, ...by }
    await recordAudit(tx, { ...deed, action: 'account.created', detail: { instead_of: account.id } })
    return accountId
  }
  await endAccess(tx, account.id, at)
  // Without a password the operator made it: what they wrote down of the person stays.
  const { name, userMetadata } = account.passwordHash === null ? account : owner
  const set = { name, userMetadata, passwordHash: owner.passwordHash, newEmail: null, ...proven }
  await changeAccount(tx, account.id, set, at)
  const workspaceId = await firstWorkspace(tx, account.id)
  if (workspaceId !== null) {
    await enterWorkspace(tx, workspaceId)
    await renameWorkspace(tx, workspaceId, name)
  }
  await recordAudit(tx, { action: 'account.claimed', actorId: account.id, accountId: account.id, ...by })
  return account.id
}

/**
 * Lets the owner of the mailbox into an account whose address was never proven, by a recovery or an invitation: they asked for
 * this account, so its workspace stays. Nothing by which somebody else could enter it or receive from it does: the password,
 * sign-ins, factors, mailed links, connections. The transaction must be of the account and hold its lock.
 */
export async function reclaimAccount(tx: Tx, account: AccountRow, by: By): Promise<void> {
  const { at } = by
  await endAccess(tx, account.id, at)
  const set = { passwordHash: null, newEmail: null, emailConfirmedAt: at, emailProvenAt: at, contested: false }
  await changeAccount(tx, account.id, set, at)
  if (account.lastSignInAt !== null) {
    for (const { workspaceId, role } of await membershipsOf(tx, account.id)) {
      if (role !== 'owner') continue
      await enterWorkspace(tx, workspaceId)
      await cutOffWorkspace(tx, workspaceId, at)
    }
  }
  await recordAudit(tx, { action: 'account.claimed', actorId: account.id, accountId: account.id, ...by })
}

/**
 * Takes its address from an account that never proved it, and closes it for good with everything that is in its workspace. An
 * operator can open it again under another address. The transaction must hold its lock.
 */
export async function displaceAccount(tx: Tx, account: AccountRow, { at, request }: By): Promise<void> {
  await endAccess(tx, account.id, at)
  const email = `${account.id}@displaced.invalid`
  const closed = { passwordHash: null, newEmail: null, isAdmin: false, bannedUntil: FOR_GOOD }
  const unproven = { emailConfirmedAt: null, emailProvenAt: null, contested: false }
  await changeAccount(tx, account.id, { email, ...closed, ...unproven }, at)
  const deed = { actorId: null, accountId: account.id, at, request }
  await recordAudit(tx, { ...deed, action: 'account.displaced', detail: { email: account.email } })
}

async function endAccess(tx: Tx, accountId: string, at: Date): Promise<void> {
  await endSessions(tx, accountId, at)
  await deleteWaysIn(tx, accountId)
}
