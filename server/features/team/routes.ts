import {
  acceptInvitation,
  changeRole,
  getTeam,
  type Invitation,
  invite,
  leaveWorkspace,
  listMyWorkspaces,
  previewInvitation,
  removeMember,
  revokeInvitation,
  switchWorkspace,
  transferOwnership,
} from '@groundswell/contract/team.ts'
import { type InvitationRow, team } from '../../auth/index.ts'
import { withoutWorkspace } from '../../platform/db/tenant.ts'
import { type Caller, type Handler, handle } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { workspacesOf } from '../workspaces/index.ts'
import { ssoRoutes } from './sso-routes.ts'

/** The calls on the people of a workspace, and on the workspaces of a person. No key can make them. */
export function teamRoutes(services: Services): Handler[] {
  return [
    ...peopleRoutes(services),
    ...invitationRoutes(services),
    ...workspaceRoutes(services),
    ...ssoRoutes(services),
  ]
}

function peopleRoutes(services: Services): Handler[] {
  return [
    handle(getTeam, async ({ caller }) => {
      const { people, invitations, mail } = await team.read(services, caller)
      const members = people.map(({ accountId, name, email, role, joinedAt }) => ({
        account_id: accountId,
        name,
        email,
        role,
        joined_at: joinedAt.toISOString(),
        is_me: accountId === caller.accountId,
      }))
      return { members, invitations: invitations.map(viewInvitation), mail }
    }),
    handle(changeRole, async ({ caller, params, body, request }) => {
      await team.changeRole(services, caller, params.id, body.role, request)
      return { role: body.role }
    }),
    handle(transferOwnership, async ({ caller, params, request }) => {
      await team.transfer(services, caller, params.id, request)
      return { role: 'member' as const }
    }),
    handle(removeMember, async ({ caller, params, request }) => {
      await team.remove(services, caller, params.id, request)
      return { id: params.id }
    }),
    handle(leaveWorkspace, async ({ caller, request }) => {
      await team.leave(services, caller, request)
      return { ok: true as const }
    }),
  ]
}

function invitationRoutes(services: Services): Handler[] {
  return [
    handle(invite, async ({ caller, body, request }) => {
      const { role, email = null } = body
      const { invitation, link, mailed } = await team.invite(services, caller, { role, email }, request)
      return { invitation: viewInvitation(invitation), link, mailed }
    }),
    handle(revokeInvitation, async ({ caller, params, request }) => {
      await team.revokeInvitation(services, caller, params.id, request)
      return { id: params.id }
    }),
    handle(previewInvitation, async ({ caller, body, request }) => {
      const { workspace, invitedBy, role, expiresAt } = await team.readInvitation(services, caller, body.token, request)
      return { workspace, invited_by: invitedBy, role, expires_at: expiresAt.toISOString() }
    }),
    handle(acceptInvitation, async ({ caller, body, request }) => ({
      workspace_id: await team.acceptInvitation(services, caller, body.token, request),
    })),
  ]
}

function workspaceRoutes(services: Services): Handler[] {
  return [
    handle(listMyWorkspaces, async ({ caller }) => {
      const own = await withoutWorkspace(services.db, (tx) => workspacesOf(tx, caller.accountId))
      return {
        workspaces: own.filter(isReachable(caller)).map(({ workspaceId: id, name, role }) => ({
          id,
          name,
          role,
          is_current: id === caller.workspaceId,
        })),
      }
    }),
    handle(switchWorkspace, async ({ caller, body, request }) => {
      await team.enterWorkspace(services, caller, body.workspace_id, request)
      return { workspace_id: body.workspace_id }
    }),
  ]
}

/** A single sign-on session reveals nothing about the person's other workspaces. */
const isReachable =
  ({ workspaceId, session }: Caller) =>
  (one: { workspaceId: string }) =>
    !session.bySso || one.workspaceId === workspaceId

function viewInvitation(row: InvitationRow): Invitation {
  return {
    id: row.id,
    role: row.role,
    email: row.email,
    invited_by: row.madeBy,
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
  }
}
