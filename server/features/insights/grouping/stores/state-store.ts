import { FIRST_SENTENCE_VERSION, REASON_CLEARER, REASON_GROUP, REASON_MEANING } from '@groundswell/engine/index.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../../platform/db/tenant.ts'
import { feedbackItemsView } from '../../../feedback/index.ts'
import type { ReplayedStatement } from '../protocol.ts'
import { readEmergingConstraints } from './emerging-store.ts'

const STATE_CHUNK_BYTES = 1024 * 1024

/** The version of the workspace's groups; creates its row at the first call. */
export async function readVersion(tx: Tx, workspaceId: string): Promise<number> {
  const found = await sql<{ version: number }>`
    select head as version from engine_state where workspace_id = ${workspaceId}`.execute(tx)
  if (found.rows[0]) return found.rows[0].version
  await sql`insert into engine_state (workspace_id) values (${workspaceId}) on conflict do nothing`.execute(tx)
  return 0
}

/** The version, under a lock until the end of the transaction: no one else changes the groups until then. */
export async function lockVersion(tx: Tx, workspaceId: string): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    select head as version from engine_state where workspace_id = ${workspaceId} for update`.execute(tx)
  return rows[0]?.version ?? 0
}

/**
 * The snapshot, under a lock that keeps it from being replaced meanwhile. `removed`: the deleted insights and the dismissed emerging
 * ones, to be passed to the engine once everything after the snapshot has been replayed.
 */
export async function readSnapshot(
  tx: Tx,
  workspaceId: string,
): Promise<{
  version: number
  groupedSeq: number
  state: Uint8Array | null
  removed: number[]
  lastIssue: number
  lastEmerging: number
}> {
  const { rows } = await sql<{ version: number; groupedSeq: number; bytes: number | null }>`
    select head as version, grouped_seq as "groupedSeq", length(state) as bytes from engine_state
    where workspace_id = ${workspaceId} for share`.execute(tx)
  const { version = 0, groupedSeq = 0, bytes = null } = rows[0] ?? {}
  const state = bytes === null ? null : await readState(tx, workspaceId, bytes)
  const issues = await sql<{ removed: number[] | null; lastIssue: number | null }>`
    select array_agg(issue_number) filter (where removed_in_engine) as removed, max(issue_number) as "lastIssue"
    from insight where workspace_id = ${workspaceId}`.execute(tx)
  const { removed, lastIssue } = issues.rows[0] ?? {}
  const { dismissed, lastEmerging } = await readEmergingConstraints(tx, workspaceId)
  return {
    version,
    groupedSeq,
    state,
    removed: [...(removed ?? []), ...dismissed],
    lastIssue: lastIssue ?? 0,
    lastEmerging,
  }
}

/** In chunks: the driver decodes a large value in one go, which would block the event loop. */
async function readState(tx: Tx, workspaceId: string, bytes: number): Promise<Uint8Array> {
  const state = Buffer.allocUnsafeSlow(bytes)
  for (let at = 0; at < bytes; at += STATE_CHUNK_BYTES) {
    const { rows } = await sql<{ piece: Buffer }>`
      select substr(state, ${at + 1}::int, ${STATE_CHUNK_BYTES}::int) as piece from engine_state
      where workspace_id = ${workspaceId}`.execute(tx)
    rows[0]?.piece.copy(state, at)
  }
  return state
}

/** May have been placed by comparing sentences. */
const isMeant = sql`s.reason in (${REASON_GROUP}, ${REASON_MEANING}, ${REASON_CLEARER}) and s.engine_version ~ '^[0-9]{1,6}$'
  and s.engine_version::int >= ${FIRST_SENTENCE_VERSION}::int`

/** A page of the statements of the items that were grouped after `afterSeq`, in the order in which they were grouped. */
export async function readReplay(
  tx: Tx,
  workspaceId: string,
  afterSeq: number,
  items: number,
): Promise<{ lastSeq: number | null; statements: ReplayedStatement[] }> {
  type Row = Omit<ReplayedStatement, 'itemId' | 'at' | 'text'> & {
    seq: number
    itemId: number
    itemText: string
    saidAt: Date
  }
  const page = await sql<{ lastSeq: number | null }>`
    select max(grouped_seq) as "lastSeq" from (
      select grouped_seq from ${feedbackItemsView} item where workspace_id = ${workspaceId} and grouped_seq > ${afterSeq}
      order by grouped_seq limit ${items}
    ) page`.execute(tx)
  const lastSeq = page.rows[0]?.lastSeq ?? null
  if (lastSeq === null) return { lastSeq, statements: [] }
  const { rows } = await sql<Row>`
    select item.grouped_seq as seq, item.id as "itemId", s.number, left(item.text, s.end_offset) as "itemText",
      s.start_offset as start, s.end_offset as end, s.said_at as "saidAt", item.author, item.thread,
      case when s.emerging_number is null then s.kind else 'joined' end as kind,
      coalesce(s.issue_number, s.emerging_number) as "issueId", s.score, s.reason, ${isMeant} as meant,
      s.subjectless, s.kind_by as "kindBy", s.point, s.read_kind as "readKind"
    from ${feedbackItemsView} item join statement s on s.workspace_id = ${workspaceId} and s.item_id = item.id
    where item.workspace_id = ${workspaceId} and item.grouped_seq > ${afterSeq} and item.grouped_seq <= ${lastSeq}
    order by item.grouped_seq, s.number`.execute(tx)
  const statements = rows.map(({ seq: _seq, itemText, saidAt, ...row }) => ({
    ...row,
    itemId: String(row.itemId),
    text: itemText.slice(row.start, row.end),
    at: saidAt.getTime(),
  }))
  return { lastSeq, statements }
}

/** Stores the new version and, if there is one, the snapshot of the state at that version. */
export async function storeVersion(
  tx: Tx,
  workspaceId: string,
  version: number,
  snapshot: Uint8Array | null,
  now: Date,
): Promise<void> {
  if (snapshot === null) {
    await sql`update engine_state set head = ${version} where workspace_id = ${workspaceId}`.execute(tx)
    return
  }
  const bytes = Buffer.from(snapshot.buffer, snapshot.byteOffset, snapshot.byteLength)
  await sql`
    update engine_state set head = ${version}, grouped_seq = ${version}, state = ${bytes}, stored_at = ${now}
    where workspace_id = ${workspaceId}`.execute(tx)
}

/** Drops a snapshot that cannot be read: the state is then rebuilt from all stored decisions. */
export async function dropSnapshot(tx: Tx, workspaceId: string): Promise<void> {
  await sql`update engine_state set state = null, grouped_seq = 0 where workspace_id = ${workspaceId}`.execute(tx)
}
