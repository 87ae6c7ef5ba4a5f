import type { Tx } from '../../../platform/db/tenant.ts'
import { raiseRevision } from '../revision.ts'
import { recount } from './stores/count-store.ts'
import { recountEmerging } from './stores/emerging-store.ts'
import { redateMentions } from './stores/group-store.ts'
import { lockVersion } from './stores/state-store.ts'

/**
 * Updates insights for messages whose author or date changed, in the caller's transaction: dates of mentions, numbers of people, first
 * and last seen. Groups stay as they are.
 */
export async function recountRelabelled(tx: Tx, workspaceId: string, itemIds: readonly number[]): Promise<void> {
  await lockVersion(tx, workspaceId)
  const { issues, emerging } = await redateMentions(tx, workspaceId, itemIds)
  if (issues.length + emerging.length === 0) return
  const revision = await raiseRevision(tx, workspaceId)
  const touched = issues.map((issueId) => ({ issueId, gained: 0 }))
  await recount(tx, workspaceId, touched, revision)
  await recountEmerging(tx, workspaceId, emerging)
}
