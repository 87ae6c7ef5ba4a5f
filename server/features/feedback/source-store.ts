import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'
import { connectionsView } from '../connections/index.ts'

/** A file by what is known of it. Hashes are SHA-256 in hex; `fileHash` is null while only its first part is known. */
export type KnownFile = { name: string; bytes: number; headHash: string; fileHash: string | null }

/** The source that has a file already, and when it was imported. */
export type SameFile = { connectionId: string; startedAt: Date }

/** How many messages and imports each source holds, by its id. */
export async function countSources(
  tx: Tx,
  workspaceId: string,
): Promise<Map<string, { messages: number; imports: number }>> {
  const { rows } = await sql<{ id: string; messages: number; imports: number }>`
    select connection_id as id, count(*) as imports,
      (select count(*) from feedback_item item
        where item.workspace_id = ${workspaceId} and item.connection_id = import.connection_id) as messages
    from import where workspace_id = ${workspaceId} and connection_id is not null
    group by connection_id`.execute(tx)
  return new Map(rows.map(({ id, messages, imports }) => [id, { messages, imports }]))
}

/**
 * The newest import of the same file into a source that still exists. For imports from before hashes were stored, name and
 * size are compared.
 */
export async function findSameFile(tx: Tx, workspaceId: string, file: KnownFile): Promise<SameFile | null> {
  const { rows } = await sql<SameFile>`
    select import.connection_id as "connectionId", started_at as "startedAt" from import
    join ${connectionsView} connection on connection.workspace_id = ${workspaceId}
      and connection.id = import.connection_id and connection.live and connection.name <> ''
    where import.workspace_id = ${workspaceId} and import.bytes = ${file.bytes} and case
      when import.file_hash is null then import.name = ${file.name}
      when ${file.fileHash}::text is null then import.head_hash = ${file.headHash}
      else import.file_hash = ${file.fileHash} end
      and coalesce((import.options ->> 'uploaded')::boolean, false)
    order by started_at desc, import.id limit 1`.execute(tx)
  return rows[0] ?? null
}
