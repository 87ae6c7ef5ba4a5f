import { randomUUID } from 'node:crypto'
import { cutOffWorkspace } from '../../features/connections/index.ts'
import {
  insertWorkspace,
  lockMembers,
  membershipsOf,
  renameWorkspace,
  rolesIn,
  workspaceFacts,
  workspacesOf,
} from '../../features/workspaces/index.ts'
import { type AccountTx, switchWorkspace } from '../../platform/db/tenant.ts'
import { deleteKeysOfAccount } from '../api-keys/store.ts'
import { recordAudit } from '../record-audit.ts'
import type { RequestOrigin } from '../sessions/issue-session.ts'
import { endSessions } from '../sessions/store.ts'
import { deleteLinksOfAccount } from '../shared-links/store.ts'
import { endMembership } from '../team/end-membership.ts'
import { deleteInvitations } from '../team/invitation-store.ts'
import { deleteCredentials } from './claim-store.ts'
import { type AccountRow, changeAccount, insertAccount } from './store.ts'

/** The profile and password that the owner of a mailbox chose. */
export type Owner = { name: string; passwordHash: string | null; userMetadata: Record<string, unknown> }

type By = { at: Date; request: RequestOrigin }

/** A displaced account is banned until then: no one can sign in to it. */
const FOREVER = new Date('9999-12-31T00:00:00Z')

/**
 * Transfers an unproven address to the person who has now proven it by their own sign-up or an identity provider, and returns
 * the id of their account. Anyone who used the address before loses access. If the account was ever signed in to, it is
 * displaced: it keeps its workspace, and the owner starts with an empty one. The transaction must be of the account and hold
 * its lock.
 */
export async function claimAddress(tx: AccountTx, account: AccountRow, owner: Owner, by: By): Promise<string> {
  const { at } = by
  const proven = { emailConfirmedAt: at, emailProvenAt: at, contested: false }
  if (account.lastSignInAt !== null) {
    await displaceAccount(tx, account, by)
    const row = { email: account.email, ...owner, isAdmin: false, appMetadata: {}, invitedAt: null, ...proven }
    const accountId = await insertAccount(tx, row, at)
    if (accountId === null) throw new Error('a displaced account still has its address')
    const workspaceId = randomUUID()
    await switchWorkspace(tx, workspaceId)
    await insertWorkspace(tx, workspaceId, owner.name, accountId)
    const event = { actorId: accountId, accountId, workspaceId, ...by }
    await recordAudit(tx, { ...event, action: 'account.created', detail: { instead_of: account.id } })
    return accountId
  }
  await endAccess(tx, account.id, at)
  // An account without a password was created by the operator, whose data about the person stays.
  const { name, userMetadata } = account.passwordHash === null ? account : owner
  const set = { name, userMetadata, passwordHash: owner.passwordHash, newEmail: null, ...proven }
  await changeAccount(tx, account.id, set, at)
  for (const { workspaceId, invited } of await membershipsOf(tx, account.id)) {
    if (invited) continue
    await switchWorkspace(tx, workspaceId)
    await renameWorkspace(tx, workspaceId, name)
  }
  await recordAudit(tx, { action: 'account.claimed', actorId: account.id, accountId: account.id, ...by })
  return account.id
}

/**
 * Gives the owner of the mailbox access to an account whose address was never proven, after a recovery or an invitation. They
 * requested this account, so its workspace stays. Everything that gives another person access or data is removed: the
 * password, sessions, factors, mailed links, connections, the people in its own workspace, and its places in workspaces of others, to
 * which somebody else was invited. The transaction must be of the account and hold its lock.
 */
export async function reclaimAccount(tx: AccountTx, account: AccountRow, by: By): Promise<void> {
  const { at } = by
  await endAccess(tx, account.id, at)
  const set = { passwordHash: null, newEmail: null, emailConfirmedAt: at, emailProvenAt: at, contested: false }
  await changeAccount(tx, account.id, set, at)
  if (account.lastSignInAt !== null) {
    await leaveOthers(tx, account.id, by)
    for (const { workspaceId, role, invited } of await membershipsOf(tx, account.id)) {
      if (role !== 'owner') continue
      await switchWorkspace(tx, workspaceId)
      await cutOffWorkspace(tx, workspaceId, at)
      if (!invited) await emptyTeam(tx, workspaceId, account.id, by)
    }
  }
  await recordAudit(tx, { action: 'account.claimed', actorId: account.id, accountId: account.id, ...by })
}

/**
 * Removes the address from an account that never proved it, and closes the account permanently with everything in its
 * workspace. An operator can reopen it under another address. The transaction must hold its lock.
 */
export async function displaceAccount(tx: AccountTx, account: AccountRow, { at, request }: By): Promise<void> {
  await endAccess(tx, account.id, at)
  await leaveOthers(tx, account.id, { at, request })
  const email = `${account.id}@displaced.invalid`
  const closed = { passwordHash: null, newEmail: null, isAdmin: false, bannedUntil: FOREVER }
  const unproven = { emailConfirmedAt: null, emailProvenAt: null, contested: false }
  await changeAccount(tx, account.id, { email, ...closed, ...unproven }, at)
  const event = { actorId: null, accountId: account.id, at, request }
  await recordAudit(tx, { ...event, action: 'account.displaced', detail: { email: account.email } })
}

/** Removes everyone else from a workspace, and its invitations. The transaction must be of that workspace. */
async function emptyTeam(tx: AccountTx, workspaceId: string, ownerId: string, { at, request }: By): Promise<void> {
  await lockMembers(tx, workspaceId)
  await deleteInvitations(tx, workspaceId)
  for (const { accountId } of await rolesIn(tx, workspaceId)) {
    if (accountId === ownerId) continue
    await endMembership(tx, workspaceId, accountId, at)
    await recordAudit(tx, { action: 'member.removed', at, actorId: ownerId, accountId, workspaceId, request })
  }
}

/** Leaves the workspaces to which the account was invited; one that it owns alone stays with it. */
async function leaveOthers(tx: AccountTx, accountId: string, { at, request }: By): Promise<void> {
  const invitedTo = (await workspacesOf(tx, accountId)).filter(({ invited }) => invited)
  for (const { workspaceId, role } of invitedTo.toSorted((a, b) => (a.workspaceId < b.workspaceId ? -1 : 1))) {
    await switchWorkspace(tx, workspaceId)
    await lockMembers(tx, workspaceId)
    if (role === 'owner' && !(await workspaceFacts(tx, workspaceId, accountId))?.hasOtherOwner) continue
    await endMembership(tx, workspaceId, accountId, at)
    await recordAudit(tx, { action: 'member.left', at, actorId: null, accountId, workspaceId, request })
  }
}

async function endAccess(tx: AccountTx, accountId: string, at: Date): Promise<void> {
  await endSessions(tx, accountId, at)
  await deleteCredentials(tx, accountId)
  await deleteKeysOfAccount(tx, accountId)
  await deleteLinksOfAccount(tx, accountId)
}
