import { ContractError } from '@groundswell/contract/errors.ts'
import type { Role } from '@groundswell/contract/values/role.ts'
import { lockMembers, setRole, workplaceOf } from '../../features/workspaces/index.ts'
import { type AccountTx, inWorkspace, switchWorkspace } from '../../platform/db/tenant.ts'
import type { Caller, RequestFacts } from '../../platform/http/handle.ts'
import { mailIsOn } from '../../platform/mail/transport.ts'
import type { Services } from '../../platform/services.ts'
import { giveWorkspace } from '../account/give-workspace.ts'
import { recordAudit } from '../record-audit.ts'
import { knownTokens } from '../sessions/known-tokens.ts'
import { announceChangedMember } from '../sessions/notice-store.ts'
import { keepIndependentOwner } from '../sso/independent-owner.ts'
import { endMembership } from './end-membership.ts'
import { deleteInvitations, type InvitationRow, openInvitations } from './invitation-store.ts'
import { keepAnOwner, requireMember, requireOwner } from './owners.ts'
import { type PersonRow, peopleOf } from './people-store.ts'
import { moveCaller } from './switch.ts'

type Origin = Pick<RequestFacts, 'address' | 'headers'>

/** What every process must read again once the transaction has committed. */
type Changed = { accounts: string[]; sessions: string[]; at: Date }

/** The people in the caller's workspace; for an owner also the open invitations. `mail`: whether an invitation can be mailed. */
export function readTeam(
  services: Services,
  { workspaceId, role }: Caller,
): Promise<{ people: PersonRow[]; invitations: InvitationRow[]; mail: boolean }> {
  return inWorkspace(services.db.accounts, workspaceId, async (tx) => ({
    mail: mailIsOn(services),
    people: await peopleOf(tx, workspaceId),
    invitations: role === 'owner' ? await openInvitations(tx, workspaceId, services.now()) : [],
  }))
}

/** Changes what a person may do in the caller's workspace. Throws `forbidden`, `not_found`, and `conflict` for the last owner. */
export function changeRole(
  services: Services,
  caller: Caller,
  accountId: string,
  role: Role,
  request: Origin,
): Promise<void> {
  const { workspaceId } = caller
  return inTeam(services, caller, async (tx, at) => {
    await requireOwner(tx, caller)
    const before = await requireMember(tx, workspaceId, accountId)
    if (before === role) return { accounts: [], sessions: [], at }
    if (before === 'owner') await keepAnOwner(tx, { workspaceId, accountId })
    await giveRole(tx, { workspaceId, accountId, role, at })
    const by = { at, actorId: caller.accountId, accountId, workspaceId, request }
    await recordAudit(tx, { ...by, action: 'member.role_changed', detail: { before, role } })
    return { accounts: [accountId], sessions: [], at }
  })
}

/** Makes another person an owner and the caller a member. Throws `forbidden`, `not_found`, and `conflict` for the caller themselves. */
export function transferOwnership(
  services: Services,
  caller: Caller,
  accountId: string,
  request: Origin,
): Promise<void> {
  const { workspaceId } = caller
  if (accountId === caller.accountId) throw new ContractError('conflict', 'You are already an owner')
  return inTeam(services, caller, async (tx, at) => {
    await requireOwner(tx, caller)
    await requireMember(tx, workspaceId, accountId)
    await giveRole(tx, { workspaceId, accountId, role: 'owner', at })
    await giveRole(tx, { workspaceId, accountId: caller.accountId, role: 'member', at })
    const by = { at, actorId: caller.accountId, accountId, workspaceId, request }
    await recordAudit(tx, { ...by, action: 'workspace.transferred' })
    return { accounts: [accountId, caller.accountId], sessions: [], at }
  })
}

/**
 * Removes a person from the caller's workspace, with their sessions, API keys and invitations there. Throws `forbidden`, `not_found`, and
 * `conflict` for the caller themselves.
 */
export function removeMember(services: Services, caller: Caller, accountId: string, request: Origin): Promise<void> {
  const { workspaceId } = caller
  if (accountId === caller.accountId) throw new ContractError('conflict', 'To remove yourself, leave the workspace')
  return inTeam(services, caller, async (tx, at) => {
    await requireOwner(tx, caller)
    await requireMember(tx, workspaceId, accountId)
    const sessions = await endMembership(tx, workspaceId, accountId, at)
    const by = { at, actorId: caller.accountId, accountId, workspaceId, request }
    await recordAudit(tx, { ...by, action: 'member.removed', detail: { sessions: sessions.length } })
    return { accounts: [accountId], sessions, at }
  })
}

/**
 * Ends the caller's own membership. Their session continues in another of their workspaces, or in a new one. Throws `conflict` for the last
 * owner.
 */
export function leaveWorkspace(services: Services, caller: Caller, request: Origin): Promise<void> {
  const { workspaceId, accountId, session } = caller
  return inTeam(services, caller, async (tx, at) => {
    const role = await requireMember(tx, workspaceId, accountId)
    if (role === 'owner') await keepAnOwner(tx, caller)
    const sessions = await endMembership(tx, workspaceId, accountId, at, session.id)
    await recordAudit(tx, { action: 'member.left', at, actorId: accountId, accountId, workspaceId, request })
    const next = (await workplaceOf(tx, accountId)) ?? (await giveWorkspace(tx, accountId, at, request))
    await switchWorkspace(tx, next)
    await moveCaller(tx, caller, next, at)
    return { accounts: [accountId], sessions, at }
  })
}

/** Demoting a person also ends the invitations that they made as an owner. */
async function giveRole(
  tx: AccountTx,
  { workspaceId, accountId, role, at }: { workspaceId: string; accountId: string; role: Role; at: Date },
): Promise<void> {
  await setRole(tx, workspaceId, accountId, role)
  if (role !== 'owner') await deleteInvitations(tx, workspaceId, accountId)
  await announceChangedMember(tx, accountId, at)
}

/** Changes who is in the caller's workspace, one transaction at a time. */
async function inTeam(
  services: Services,
  { workspaceId }: Caller,
  work: (tx: AccountTx, at: Date) => Promise<Changed>,
): Promise<void> {
  const changed = await inWorkspace(services.db.accounts, workspaceId, async (tx) => {
    await lockMembers(tx, workspaceId)
    const done = await work(tx, services.now())
    await switchWorkspace(tx, workspaceId)
    await keepIndependentOwner(tx, workspaceId)
    return done
  })
  const known = knownTokens(services)
  known.note('session', changed.sessions, changed.at)
  known.noteMembers(changed.accounts, changed.at)
}
