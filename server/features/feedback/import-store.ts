import type { FileOptions } from '@groundswell/connectors/connector.ts'
import type { BadRow, Import } from '@groundswell/contract/feedback.ts'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'

/** One import as it is kept. `uploaded` is false until every byte of the file is stored. `line` is the last one stored. */
export type ImportRow = {
  id: string
  connectionId: string
  name: string
  options: Omit<FileOptions, 'name'>
  uploaded: boolean
  state: Import['state']
  added: number
  known: number
  bad: number
  bytes: number
  bytesRead: number
  line: number
  problems: BadRow[]
  error: string | null
  firstItem: number | null
  lastItem: number | null
  startedAt: Date
  finishedAt: Date | null
  /** Items that it added and that wait to be grouped. */
  ungrouped: number
}

/** How far an import is after one more batch. */
export type ImportProgress = Pick<
  ImportRow,
  'added' | 'known' | 'bad' | 'bytesRead' | 'line' | 'problems' | 'firstItem' | 'lastItem'
>

const NEWEST = 50

const columns = sql`id, connection_id as "connectionId", name, options -> 'file' as options,
  coalesce((options ->> 'uploaded')::boolean, false) as uploaded, state, added, known, bad, bytes,
  bytes_read as "bytesRead", line, problems, error, first_item as "firstItem", last_item as "lastItem",
  started_at as "startedAt", finished_at as "finishedAt",
  (select count(*) from feedback_item item
    where item.workspace_id = import.workspace_id and item.connection_id = import.connection_id
      and item.id between import.first_item and import.last_item and item.grouped_seq is null) as ungrouped`

/** Makes an import whose file is still to come, and returns its id. */
export async function insertImport(
  tx: Tx,
  workspaceId: string,
  row: { connectionId: string; name: string; options: ImportRow['options']; at: Date },
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into import (workspace_id, connection_id, name, options, started_at)
    values (${workspaceId}, ${row.connectionId}, ${row.name},
      ${JSON.stringify({ file: row.options, uploaded: false })}::jsonb, ${row.at})
    returning id`.execute(tx)
  const id = rows[0]?.id
  if (id === undefined) throw new Error('an import was not stored')
  return id
}

/** Stores one piece of an import's file. */
export async function insertChunk(
  tx: Tx,
  workspaceId: string,
  importId: string,
  number: number,
  bytes: Buffer,
): Promise<void> {
  await sql`
    insert into import_chunk (workspace_id, import_id, number, bytes)
    values (${workspaceId}, ${importId}, ${number}, ${bytes})`.execute(tx)
}

/** One piece of an import's file; null past the last. */
export async function readChunk(tx: Tx, workspaceId: string, importId: string, number: number): Promise<Buffer | null> {
  const { rows } = await sql<{ bytes: Buffer }>`
    select bytes from import_chunk
    where workspace_id = ${workspaceId} and import_id = ${importId} and number = ${number}`.execute(tx)
  return rows[0]?.bytes ?? null
}

/** Says that the whole file is stored: from now on it may be read. */
export async function markUploaded(tx: Tx, workspaceId: string, importId: string, bytes: number): Promise<void> {
  await sql`
    update import set bytes = ${bytes}, options = jsonb_set(options, '{uploaded}', 'true')
    where workspace_id = ${workspaceId} and id = ${importId}`.execute(tx)
}

/** Removes an import whose file never arrived whole. */
export async function deleteImport(tx: Tx, workspaceId: string, importId: string): Promise<void> {
  await sql`delete from import where workspace_id = ${workspaceId} and id = ${importId}`.execute(tx)
}

/** One import; null when the workspace has none such. */
export async function findImport(tx: Tx, workspaceId: string, importId: string): Promise<ImportRow | null> {
  const { rows } = await sql<ImportRow>`
    select ${columns} from import where workspace_id = ${workspaceId} and id = ${importId}`.execute(tx)
  return rows[0] ?? null
}

/** The same, locked until the transaction ends. */
export async function lockImport(tx: Tx, workspaceId: string, importId: string): Promise<ImportRow | null> {
  const { rows } = await sql<ImportRow>`
    select ${columns} from import where workspace_id = ${workspaceId} and id = ${importId} for update`.execute(tx)
  return rows[0] ?? null
}

/** The newest 50 imports whose files are stored. */
export async function newestImports(tx: Tx, workspaceId: string): Promise<ImportRow[]> {
  const { rows } = await sql<ImportRow>`
    select ${columns} from import where workspace_id = ${workspaceId} and (options ->> 'uploaded')::boolean
    order by started_at desc, id limit ${NEWEST}`.execute(tx)
  return rows
}

/** Imports that were to be read and have not come to an end, by their ids. */
export async function unfinishedImports(tx: Tx, workspaceId: string, startedBefore: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from import
    where workspace_id = ${workspaceId} and state in ('waiting', 'running') and started_at < ${startedBefore}
      and (options ->> 'uploaded')::boolean`.execute(tx)
  return rows.map((row) => row.id)
}

/** Removes imports whose upload broke off without a word, as when the process was killed. */
export async function deleteAbandonedUploads(tx: Tx, workspaceId: string, startedBefore: Date): Promise<void> {
  await sql`
    delete from import
    where workspace_id = ${workspaceId} and started_at < ${startedBefore}
      and not (options ->> 'uploaded')::boolean`.execute(tx)
}

/** Says that an import is being read. */
export async function markRunning(tx: Tx, workspaceId: string, importId: string): Promise<void> {
  await sql`
    update import set state = 'running'
    where workspace_id = ${workspaceId} and id = ${importId} and state = 'waiting'`.execute(tx)
}

/** Keeps how far an import is. */
export async function saveProgress(
  tx: Tx,
  workspaceId: string,
  importId: string,
  progress: ImportProgress,
): Promise<void> {
  await sql`
    update import
    set added = ${progress.added}, known = ${progress.known}, bad = ${progress.bad},
      bytes_read = ${progress.bytesRead}, line = ${progress.line}, problems = ${JSON.stringify(progress.problems)}::jsonb,
      first_item = ${progress.firstItem}, last_item = ${progress.lastItem}
    where workspace_id = ${workspaceId} and id = ${importId}`.execute(tx)
}

/** Ends an import, well or with an error in words, and lets go of its file. */
export async function endImport(
  tx: Tx,
  workspaceId: string,
  importId: string,
  end: { error: string | null; at: Date },
): Promise<void> {
  await sql`
    update import
    set state = ${end.error === null ? 'done' : 'failed'}, error = ${end.error}, finished_at = ${end.at},
      bytes_read = case when ${end.error === null} then bytes else bytes_read end
    where workspace_id = ${workspaceId} and id = ${importId} and state in ('waiting', 'running')`.execute(tx)
  await sql`delete from import_chunk where workspace_id = ${workspaceId} and import_id = ${importId}`.execute(tx)
}

/** Every workspace there is, for periodic work. */
export async function allWorkspaces(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select all_workspace_ids() as id`.execute(tx)
  return rows.map((row) => row.id)
}
