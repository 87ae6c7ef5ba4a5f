import { deleteMember } from '../../features/workspaces/index.ts'
import type { AccountTx } from '../../platform/db/tenant.ts'
import { announceChangedMember } from '../sessions/notice-store.ts'
import { endSessions } from '../sessions/store.ts'

/**
 * Ends a membership in every process when the transaction commits, with the sessions in that workspace, the API keys and the open
 * invitations of the person there. `except`: a session that is moved elsewhere instead. The transaction must be of that workspace and hold
 * the lock of its members. Returns the sessions that it ended.
 */
export async function endMembership(
  tx: AccountTx,
  workspaceId: string,
  accountId: string,
  at: Date,
  except?: string,
): Promise<string[]> {
  await deleteMember(tx, workspaceId, accountId)
  const ended = await endSessions(tx, accountId, at, { workspaceId, ...(except === undefined ? {} : { except }) })
  await announceChangedMember(tx, accountId, at)
  return ended
}
