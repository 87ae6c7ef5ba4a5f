import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'

/** When the pause of a scope ends, or of the whole connection if that is later; null: there is none. */
export async function readPause(
  tx: Tx,
  workspaceId: string,
  connectionId: string,
  scope: string,
): Promise<Date | null> {
  const { rows } = await sql<{ until: Date | null }>`
    select max(until) as until from request_pause
    where workspace_id = ${workspaceId} and connection_id = ${connectionId} and scope in ('', ${scope})`.execute(tx)
  return rows[0]?.until ?? null
}

/** Stores a pause. It never shortens another one. */
export async function writePause(
  tx: Tx,
  workspaceId: string,
  connectionId: string,
  scope: string,
  until: Date,
): Promise<void> {
  await sql`
    insert into request_pause (workspace_id, connection_id, scope, until)
    select ${workspaceId}, id, ${scope}, ${until} from connection
      where workspace_id = ${workspaceId} and id = ${connectionId}
    on conflict (workspace_id, connection_id, scope)
      do update set until = greatest(request_pause.until, excluded.until)`.execute(tx)
}

/** Ends all pauses of a connection: they were about a sign-in that has been replaced. */
export async function deletePauses(tx: Tx, workspaceId: string, connectionId: string): Promise<void> {
  await sql`
    delete from request_pause where workspace_id = ${workspaceId} and connection_id = ${connectionId}`.execute(tx)
}
