import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'

/** The source of feedback that programs send, and the import that lists it, by which it is deleted. */
export type SentSource = { connectionId: string; importId: string }

/** The source of the workspace, locked until the transaction ends; null when there is none. */
export async function lockSentSource(tx: Tx, workspaceId: string): Promise<SentSource | null> {
  const { rows } = await sql<SentSource>`
    select connection_id as "connectionId", id as "importId" from import
    where workspace_id = ${workspaceId} and options @> '{"sent": true}' and connection_id is not null
    order by started_at desc limit 1 for update`.execute(tx)
  return rows[0] ?? null
}

/** Stores the import that lists what programs send, and returns its id. */
export async function insertSentImport(tx: Tx, workspaceId: string, connectionId: string, at: Date): Promise<string> {
  const options = { file: { format: null, header: null, mapping: null }, uploaded: true, sent: true }
  const { rows } = await sql<{ id: string }>`
    insert into import (workspace_id, connection_id, name, options, state, on_conflict, started_at, began_at, finished_at)
    values (${workspaceId}, ${connectionId}, 'API', ${JSON.stringify(options)}::jsonb, 'done', 'replace', ${at}, now(), ${at})
    returning id`.execute(tx)
  const id = rows[0]?.id
  if (id === undefined) throw new Error('the import of sent feedback was not stored')
  return id
}

/** Lists messages of the source, of ids from `firstId` to `lastId`, as brought by its import. The transaction holds the lock of the source. */
export async function listSent(
  tx: Tx,
  workspaceId: string,
  { connectionId, importId }: SentSource,
  { firstId, lastId }: { firstId: number; lastId: number },
): Promise<void> {
  await sql`
    insert into import_row (workspace_id, import_id, line, item_id, added)
    select ${workspaceId}::uuid, ${importId}::uuid,
      (select line from import where workspace_id = ${workspaceId} and id = ${importId}) + row_number() over (order by item.id),
      item.id, true
    from feedback_item item
    where item.workspace_id = ${workspaceId} and item.connection_id = ${connectionId}
      and item.id between ${firstId} and ${lastId}`.execute(tx)
}

/** Counts messages in the import of the source. */
export async function countSent(
  tx: Tx,
  workspaceId: string,
  importId: string,
  sent: { added: number; changed: number; known: number; firstId: number | null; lastId: number | null; at: Date },
): Promise<void> {
  await sql`
    update import
    set added = added + ${sent.added}, replaced = replaced + ${sent.changed}, known = known + ${sent.known},
      line = line + ${sent.added}, first_item = coalesce(first_item, ${sent.firstId}::bigint),
      last_item = coalesce(${sent.lastId}::bigint, last_item), finished_at = ${sent.at}
    where workspace_id = ${workspaceId} and id = ${importId}`.execute(tx)
}
