import { ContractError } from '@groundswell/contract/errors.ts'
import { INVITATION_DAYS } from '@groundswell/contract/team.ts'
import type { Role } from '@groundswell/contract/values/role.ts'
import { insertMember, lockMembers, noteEntered, roleIn, workspacesOf } from '../../features/workspaces/index.ts'
import { type AccountTx, inWorkspace, withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Caller, RequestFacts } from '../../platform/http/handle.ts'
import { mailIsOn } from '../../platform/mail/transport.ts'
import type { Services } from '../../platform/services.ts'
import { sendMail } from '../mail/mailer.ts'
import { teamMessage } from '../mail/messages.ts'
import { recordAudit } from '../record-audit.ts'
import { knownTokens } from '../sessions/known-tokens.ts'
import { hashToken, makeToken } from '../sessions/opaque-token.ts'
import { siteUrl } from '../site-url.ts'
import { spend, takeAll } from '../throttle/limits.ts'
import {
  deleteInvitation,
  enterByInvitation,
  type InvitationRow,
  insertInvitation,
  takeInvitation,
} from './invitation-store.ts'
import { requireOwner } from './owners.ts'
import { moveCaller } from './switch.ts'

type Origin = Pick<RequestFacts, 'address' | 'headers'>

/** An invitation with its link, which is stored nowhere. */
export type MadeInvitation = { invitation: InvitationRow; link: string; mailed: boolean }

const DAY_MS = 86_400_000
const MAX_OPEN = 100

/**
 * Invites somebody to the caller's workspace by a link, which is also mailed when there is an address and a mail server. The token is in
 * the fragment of the link: browsers send that to no server. Throws `forbidden`, `conflict` and `too_many_requests`.
 */
export async function makeInvitation(
  services: Services,
  caller: Caller,
  given: { role: Role; email: string | null },
  request: Origin,
): Promise<MadeInvitation> {
  const { accountId, workspaceId, email: madeBy } = caller
  await spendInvitation(services, caller, given.email)
  const createdAt = services.now()
  const expiresAt = new Date(createdAt.getTime() + INVITATION_DAYS * DAY_MS)
  const { token, tokenHash } = makeToken()
  const row = { ...given, invitedBy: accountId, createdAt, expiresAt }
  const { id, workspace } = await inWorkspace(services.db.accounts, workspaceId, async (tx) => {
    await lockMembers(tx, workspaceId)
    await requireOwner(tx, caller)
    const made = await insertInvitation(tx, workspaceId, { ...row, tokenHash }, MAX_OPEN)
    if (made === null) {
      throw new ContractError('conflict', `There are already ${MAX_OPEN} open invitations: revoke one first`)
    }
    const by = { at: createdAt, actorId: accountId, accountId, workspaceId, request }
    await recordAudit(tx, { ...by, action: 'invitation.made', detail: { role: given.role, email: given.email } })
    return { id: made, workspace: await nameOf(tx, workspaceId, accountId) }
  })
  const link = `${siteUrl(services)}/auth?step=join#invitation=${token}`
  const mailed = given.email !== null && mailIsOn(services)
  if (given.email !== null && mailed) {
    sendMail(services, given.email, teamMessage(link, { by: madeBy, workspace, days: INVITATION_DAYS }))
  }
  return { invitation: { ...row, id, madeBy }, link, mailed }
}

async function spendInvitation(services: Services, { accountId }: Caller, email: string | null): Promise<void> {
  const mailbox = email === null ? [] : [{ limit: 'mailbox' as const, key: `team ${email}` }]
  if (await takeAll(services, [{ limit: 'invite', key: accountId }, ...mailbox])) return
  throw new ContractError('too_many_requests', 'Too many invitations: wait a while before you create another')
}

/** Revokes an invitation of the caller's workspace. Throws `forbidden` and `not_found`. */
export function revokeInvitation(services: Services, caller: Caller, id: string, request: Origin): Promise<void> {
  const { accountId, workspaceId } = caller
  return inWorkspace(services.db.accounts, workspaceId, async (tx) => {
    await lockMembers(tx, workspaceId)
    await requireOwner(tx, caller)
    if (!(await deleteInvitation(tx, workspaceId, id))) {
      throw new ContractError('not_found', 'This invitation no longer exists')
    }
    const by = { at: services.now(), actorId: accountId, accountId, workspaceId, request }
    await recordAudit(tx, { ...by, action: 'invitation.revoked' })
  })
}

/** What the holder of an invitation's token would join. Throws `not_found` when it cannot be accepted, and `too_many_requests`. */
export async function readInvitation(
  services: Services,
  caller: Caller,
  token: string,
  { address }: Origin,
): Promise<{ workspace: string; invitedBy: string; role: Role; expiresAt: Date }> {
  await spend(services, { limit: 'verify', address, subject: `invitation ${caller.accountId}` })
  return withoutWorkspace(services.db.accounts, async (tx) => {
    const found = await enter(services, tx, token, caller)
    const workspace = await nameOf(tx, found.workspaceId, found.invitedBy)
    return { workspace, invitedBy: found.madeBy, role: found.role, expiresAt: found.expiresAt }
  })
}

/**
 * Accepts an invitation, once: the caller is a member from now on, and their session acts there. Returns the workspace. Throws `not_found` when
 * the invitation cannot be accepted, `conflict` for a member, who leaves the link to others, and `too_many_requests`.
 */
export async function acceptInvitation(
  services: Services,
  caller: Caller,
  token: string,
  request: Origin,
): Promise<string> {
  await spend(services, {
    limit: 'verify',
    address: request.address,
    subject: `invitation ${caller.accountId}`,
  })
  const { accountId } = caller
  const { workspaceId, at } = await withoutWorkspace(services.db.accounts, async (tx) => {
    const found = await enter(services, tx, token, caller)
    await lockMembers(tx, found.workspaceId)
    const acceptedAt = services.now()
    if ((await roleIn(tx, found.workspaceId, accountId)) !== null) {
      throw new ContractError('conflict', 'You are already in this workspace')
    }
    if (!(await takeInvitation(tx, found.workspaceId, found.id, accountId))) refuseInvitation()
    const { role } = found
    await insertMember(tx, { workspaceId: found.workspaceId, accountId, role, at: acceptedAt })
    await noteEntered(tx, found.workspaceId, accountId, acceptedAt)
    await moveCaller(tx, caller, found.workspaceId, acceptedAt)
    const detail = { role, invited_by: found.madeBy }
    const by = { at: acceptedAt, actorId: accountId, accountId, workspaceId: found.workspaceId, request }
    await recordAudit(tx, { ...by, action: 'invitation.accepted', detail })
    return { workspaceId: found.workspaceId, at: acceptedAt }
  })
  knownTokens(services).noteMembers([accountId], at)
  return workspaceId
}

/** The invitation with this token, if the caller can accept it. */
async function enter(services: Services, tx: AccountTx, token: string, { accountId }: Caller) {
  const found = await enterByInvitation(tx, hashToken(token), services.now())
  return found && (found.signedUpBy ?? accountId) === accountId ? found : refuseInvitation()
}

/** One sentence for every reason, so that it does not reveal whether there was such an invitation. */
function refuseInvitation(): never {
  throw new ContractError(
    'not_found',
    'This invitation was used or revoked, or has expired. Ask the person who invited you for a new link.',
  )
}

async function nameOf(tx: AccountTx, workspaceId: string, memberId: string): Promise<string> {
  return (await workspacesOf(tx, memberId)).find((one) => one.workspaceId === workspaceId)?.name ?? ''
}
