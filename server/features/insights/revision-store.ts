import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'

/** Where new revisions are announced when they are committed, as `workspaceId:revision`. */
export const REVISION_CHANNEL = 'revision'

/** Raises the workspace's revision, locks it until the transaction ends, and announces it on commit. Use `raiseRevision`. */
export async function incrementRevision(tx: Tx, workspaceId: string): Promise<number> {
  const { rows } = await sql<{ revision: number }>`
    update workspace set revision = revision + 1 where workspace_id = ${workspaceId} returning revision`.execute(tx)
  const revision = rows[0]?.revision ?? 0
  await sql`select pg_notify(${REVISION_CHANNEL}, ${`${workspaceId}:${revision}`})`.execute(tx)
  return revision
}

/** The workspace's revision, as the transaction sees it. */
export async function readRevision(tx: Tx, workspaceId: string): Promise<number> {
  const { rows } = await sql<{ revision: number }>`
    select revision from workspace where workspace_id = ${workspaceId}`.execute(tx)
  return rows[0]?.revision ?? 0
}
