import type { FileOptions } from '@groundswell/connectors/connector.ts'
import type { BadRow, Import } from '@groundswell/contract/feedback.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { connectionsView } from '../../connections/index.ts'

/** How our own side's replies are recognised in a file: by a column of roles, or by `authors`, found by how they write. Null: every row is feedback. */
export type OwnSide = { by: 'role' | 'author' | null; authors: string[] }

/** One import as stored. `uploaded` is false until every byte of the file is stored. `line` is the last one stored. */
export type ImportRow = {
  id: string
  /** Its source; null until the file is stored, and after the source has been deleted. */
  connectionId: string | null
  sourceName: string | null
  fileHash: string | null
  name: string
  options: Omit<FileOptions, 'name'>
  uploaded: boolean
  state: Import['state']
  added: number
  known: number
  replaced: number
  repeated: number
  bad: number
  /** Rows of the own side; `contextLeftOut` of them belong to no conversation. */
  context: number
  contextLeftOut: number
  /** Rows without a date that can be read. */
  undated: number
  /** The first authors of these rows. */
  ownPeople: string[]
  /** Null: not decided yet. */
  ownSide: OwnSide | null
  onConflict: OnConflict
  asks: Import['asks']
  repeats: Import['repeats']
  restorable: number
  bytes: number
  bytesRead: number
  line: number
  problems: BadRow[]
  error: string | null
  firstItem: number | null
  lastItem: number | null
  startedAt: Date
  finishedAt: Date | null
  /** Items that it added or whose text it changed, and that wait to be grouped. */
  ungrouped: number
}

/** How far an import has progressed after one more batch. */
export type ImportProgress = Pick<
  ImportRow,
  | 'added'
  | 'known'
  | 'replaced'
  | 'repeated'
  | 'bad'
  | 'context'
  | 'contextLeftOut'
  | 'undated'
  | 'ownPeople'
  | 'bytesRead'
  | 'line'
  | 'problems'
  | 'repeats'
  | 'firstItem'
  | 'lastItem'
>

/** What happens to stored text that a row would replace. */
export type OnConflict = 'ask' | 'replace' | 'keep'

const NEWEST = 50

const columns = sql`import.id, import.connection_id as "connectionId", file_hash as "fileHash", import.name,
  (select nullif(connection.name, '') from ${connectionsView} connection
    where connection.workspace_id = import.workspace_id and connection.id = import.connection_id) as "sourceName",
  options -> 'file' as options, coalesce((options ->> 'uploaded')::boolean, false) as uploaded, state, added, known, replaced,
  repeated, bad, context, context_left_out as "contextLeftOut", undated, own_people as "ownPeople", own_side as "ownSide",
  on_conflict as "onConflict", asks, repeats, bytes, bytes_read as "bytesRead", line, problems, error,
  first_item as "firstItem", last_item as "lastItem", started_at as "startedAt", finished_at as "finishedAt",
  (select count(*) from replaced_text kept
    where kept.workspace_id = import.workspace_id and kept.import_id = import.id) as restorable,
  (select count(*) from feedback_item item
    where item.workspace_id = import.workspace_id and item.connection_id = import.connection_id
      and item.id between import.first_item and import.last_item and item.grouped_seq is null)
  + case when replaced = 0 then 0 else (select count(*) from replaced_text kept
    join feedback_item item on item.workspace_id = kept.workspace_id and item.id = kept.item_id and item.grouped_seq is null
    where kept.workspace_id = import.workspace_id and kept.import_id = import.id) end as ungrouped`

/** Creates an import whose file has not arrived yet, and returns its id. */
export async function insertImport(
  tx: Tx,
  workspaceId: string,
  row: { name: string; options: ImportRow['options']; onConflict: OnConflict; at: Date },
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into import (workspace_id, name, options, on_conflict, started_at)
    values (${workspaceId}, ${row.name},
      ${JSON.stringify({ file: row.options, uploaded: false })}::jsonb, ${row.onConflict}, ${row.at})
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

/** A stored file: its size in bytes, the hashes of the whole and of its first 256 KiB, and that of its header; null: not to be remembered. */
export type StoredFile = { bytes: number; fileHash: string; headHash: string; header: string | null }

/** Records that the whole file is stored, and its source: from now on it may be read. */
export async function markUploaded(
  tx: Tx,
  workspaceId: string,
  importId: string,
  connectionId: string,
  file: StoredFile,
): Promise<void> {
  await sql`
    update import set bytes = ${file.bytes}, file_hash = ${file.fileHash}, head_hash = ${file.headHash},
      connection_id = ${connectionId}, options = options || ${JSON.stringify({ uploaded: true, header: file.header })}::jsonb
    where workspace_id = ${workspaceId} and id = ${importId}`.execute(tx)
}

/** Removes an import with its rows and the texts that it replaced. Items stay. */
export async function removeImport(tx: Tx, workspaceId: string, importId: string): Promise<void> {
  await sql`delete from import where workspace_id = ${workspaceId} and id = ${importId}`.execute(tx)
}

/** One import; null when the workspace has no such import. */
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

/** The newest 50 imports whose files are stored; before them what programs send, which keeps growing. */
export async function newestImports(tx: Tx, workspaceId: string): Promise<ImportRow[]> {
  const { rows } = await sql<ImportRow>`
    select ${columns} from import where workspace_id = ${workspaceId} and (options ->> 'uploaded')::boolean
    order by options @> '{"sent": true}' desc, started_at desc, id limit ${NEWEST}`.execute(tx)
  return rows
}

/** The ids of imports whose reading has not finished. */
export async function unfinishedImports(tx: Tx, workspaceId: string, startedBefore: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from import
    where workspace_id = ${workspaceId} and state in ('waiting', 'running') and started_at < ${startedBefore}
      and (options ->> 'uploaded')::boolean`.execute(tx)
  return rows.map((row) => row.id)
}

/** Removes imports whose upload was interrupted, as when the process was killed. */
export async function deleteAbandonedUploads(tx: Tx, workspaceId: string, startedBefore: Date): Promise<void> {
  await sql`
    delete from import
    where workspace_id = ${workspaceId} and started_at < ${startedBefore}
      and not (options ->> 'uploaded')::boolean`.execute(tx)
}

/** Ids of the imports whose question was asked before that time and never answered. */
export async function unansweredImports(tx: Tx, workspaceId: string, startedBefore: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from import
    where workspace_id = ${workspaceId} and state = 'asking' and started_at < ${startedBefore}`.execute(tx)
  return rows.map((row) => row.id)
}

/** How many imports a source has. */
export async function countImports(tx: Tx, workspaceId: string, connectionId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from import
    where workspace_id = ${workspaceId} and connection_id = ${connectionId}`.execute(tx)
  return rows[0]?.count ?? 0
}

/** Makes an import wait for an answer to its question. */
export async function markAsking(tx: Tx, workspaceId: string, importId: string, asks: Import['asks']): Promise<void> {
  await sql`
    update import set state = 'asking', asks = ${JSON.stringify(asks)}::jsonb
    where workspace_id = ${workspaceId} and id = ${importId} and state = 'running'`.execute(tx)
}

/** Stores what happens to stored text. An import that waited for the answer may be read from now on; false when there is nothing to answer. */
export async function markAnswered(
  tx: Tx,
  workspaceId: string,
  importId: string,
  onConflict: 'replace' | 'keep',
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update import set on_conflict = ${onConflict}, state = case when state = 'asking' then 'waiting' else state end
    where workspace_id = ${workspaceId} and id = ${importId} and state in ('asking', 'running') and on_conflict = 'ask'`.execute(
    tx,
  )
  return Number(numAffectedRows) > 0
}

/** Records that an import is being read. */
export async function markRunning(tx: Tx, workspaceId: string, importId: string): Promise<void> {
  await sql`
    update import set state = 'running', began_at = coalesce(began_at, now())
    where workspace_id = ${workspaceId} and id = ${importId} and state = 'waiting'`.execute(tx)
}

/** Stores how our own side is recognised in the file of an import. */
export async function markOwnSide(tx: Tx, workspaceId: string, importId: string, ownSide: OwnSide): Promise<void> {
  await sql`
    update import set own_side = ${JSON.stringify(ownSide)}::jsonb
    where workspace_id = ${workspaceId} and id = ${importId}`.execute(tx)
}

/** How our own side was recognised in the latest import of a source other than this one; null when there is none. */
export async function findLatestOwnSide(
  tx: Tx,
  workspaceId: string,
  connectionId: string,
  importId: string | null,
): Promise<OwnSide | null> {
  const { rows } = await sql<{ ownSide: OwnSide }>`
    select own_side as "ownSide" from import
    where workspace_id = ${workspaceId} and connection_id = ${connectionId} and id is distinct from ${importId}::uuid
      and own_side is not null
    order by started_at desc, id limit 1`.execute(tx)
  return rows[0]?.ownSide ?? null
}

/** The newest import of a file with this header whose columns were chosen, unless it failed; null when there is none. */
export async function findLastOfHeader(
  tx: Tx,
  workspaceId: string,
  header: string,
): Promise<Pick<ImportRow, 'connectionId' | 'options' | 'startedAt'> | null> {
  const { rows } = await sql<Pick<ImportRow, 'connectionId' | 'options' | 'startedAt'>>`
    select connection_id as "connectionId", options -> 'file' as options, started_at as "startedAt" from import
    where workspace_id = ${workspaceId} and options ->> 'header' = ${header} and state <> 'failed'
    order by started_at desc, id limit 1`.execute(tx)
  return rows[0] ?? null
}

/** Stores the progress of an import. */
export async function saveProgress(
  tx: Tx,
  workspaceId: string,
  importId: string,
  progress: ImportProgress,
): Promise<void> {
  await sql`
    update import
    set added = ${progress.added}, known = ${progress.known}, replaced = ${progress.replaced},
      repeated = ${progress.repeated}, bad = ${progress.bad}, context = ${progress.context},
      context_left_out = ${progress.contextLeftOut}, undated = ${progress.undated}, own_people = ${JSON.stringify(progress.ownPeople)}::jsonb,
      repeats = ${JSON.stringify(progress.repeats)}::jsonb,
      bytes_read = ${progress.bytesRead}, line = ${progress.line}, problems = ${JSON.stringify(progress.problems)}::jsonb,
      first_item = ${progress.firstItem}, last_item = ${progress.lastItem}
    where workspace_id = ${workspaceId} and id = ${importId}`.execute(tx)
}

/** Ends an import, successfully or with an error text, and deletes its stored file. */
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

/** Workspaces with imports that are unfinished, whose upload was interrupted, or that were never answered, since these times. */
export async function workspacesToImport(
  tx: Tx,
  before: { lost: Date; abandoned: Date; unanswered: Date },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select workspaces_to_import(${before.lost}, ${before.abandoned}, ${before.unanswered}) as id`.execute(tx)
  return rows.map((row) => row.id)
}
