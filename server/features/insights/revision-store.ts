import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'

/** Where new revisions are announced when they are committed, as `workspaceId:revision`. */
export const REVISION_CHANNEL = 'revision'

/** Announces a new revision of a workspace once the transaction is committed. Use `raiseRevision`. */
export async function announceRevision(tx: Tx, workspaceId: string, revision: number): Promise<void> {
  await sql`select pg_notify(${REVISION_CHANNEL}, ${`${workspaceId}:${revision}`})`.execute(tx)
}
