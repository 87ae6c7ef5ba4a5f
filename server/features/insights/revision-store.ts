import { sql } from 'kysely'
import { notify, type Tx } from '../../platform/db/tenant.ts'

/** Where new revisions are announced when they are committed, as `workspaceId:revision`. */
export const REVISION_CHANNEL = 'revision'

/**
 * Raises the workspace's revision, locks it until the transaction ends, and announces it to every process on commit, to this one
 * before the transaction's caller goes on: after a change, its clients never get the earlier list.
 */
export async function raiseRevision(tx: Tx, workspaceId: string): Promise<number> {
  const { rows } = await sql<{ revision: number }>`
    update workspace set revision = revision + 1 where workspace_id = ${workspaceId} returning revision`.execute(tx)
  const revision = rows[0]?.revision ?? 0
  await notify(tx, REVISION_CHANNEL, `${workspaceId}:${revision}`)
  return revision
}

/** The workspace's revision, as the transaction sees it. */
export async function readRevision(tx: Tx, workspaceId: string): Promise<number> {
  const { rows } = await sql<{ revision: number }>`
    select revision from workspace where workspace_id = ${workspaceId}`.execute(tx)
  return rows[0]?.revision ?? 0
}
