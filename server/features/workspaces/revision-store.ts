import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'

/** Raises the workspace's revision, which locks its row until the transaction ends. Only `raiseRevision` of the insights calls it. */
export async function nextRevision(tx: Tx, workspaceId: string): Promise<number> {
  const { rows } = await sql<{ revision: number }>`
    update workspace set revision = revision + 1 where workspace_id = ${workspaceId} returning revision`.execute(tx)
  return rows[0]?.revision ?? 0
}

/** The workspace's revision, as the transaction sees it. */
export async function readRevision(tx: Tx, workspaceId: string): Promise<number> {
  const { rows } = await sql<{ revision: number }>`
    select revision from workspace where workspace_id = ${workspaceId}`.execute(tx)
  return rows[0]?.revision ?? 0
}
