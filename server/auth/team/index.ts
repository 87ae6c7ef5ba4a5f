import { acceptInvitation, makeInvitation, readInvitation, revokeInvitation } from './invite.ts'
import { changeRole, leaveWorkspace, readTeam, removeMember, transferOwnership } from './people.ts'
import { enterWorkspace } from './switch.ts'

export type { InvitationRow } from './invitation-store.ts'

/** What the calls on a team do: each checks again, in its transaction, that the caller may. */
export const team = {
  read: readTeam,
  changeRole,
  transfer: transferOwnership,
  remove: removeMember,
  leave: leaveWorkspace,
  invite: makeInvitation,
  revokeInvitation,
  readInvitation,
  acceptInvitation,
  enterWorkspace,
}
