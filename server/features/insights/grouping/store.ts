import { BY_MODEL, BY_PERSON, ENGINE_VERSION } from '@groundswell/engine/index.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { numberArray, textArray } from '../array-literal.ts'
import { joiningSets } from '../large-sets-store.ts'
import type { ReplayedStatement, StepResult } from './protocol.ts'
import { piecesOf, textHash } from './split-store.ts'

/**
 * What waits to be grouped. `version` changes with every write to the item; `numbers` are the statements of an earlier
 * text, `issueNumbers` what they were mentions of. `pieces`: how a language model took this text apart.
 */
export type WaitingItem = {
  id: number
  text: string
  author: string | null
  thread: string | null
  saidAt: Date
  version: string
  numbers: number[] | null
  issueNumbers: number[] | null
  pieces: number[] | null
}

/** An item that is gone: its statements are still in the group index. */
export type ForgottenItem = { itemId: number; numbers: number[]; issueNumbers: number[] }

/** What the engine reads of one text; a character is at most two UTF-16 units, so this many characters hold them all. */
const READ_CHARACTERS = 65_536
/** At most this many characters are taken up at once, however many items that is. */
const STEP_CHARACTERS = 4_000_000
/** Who decided, by the reason. */
const decider = sql`case reason when ${BY_PERSON} then 'person' when ${BY_MODEL} then 'model' else 'engine' end`
const FORGET_AT_ONCE = 5_000
const STATE_PIECE = 1024 * 1024

/** The workspace's head, with its row made when it is first asked for. */
export async function readHead(tx: Tx, workspaceId: string): Promise<number> {
  const found = await sql<{ head: number }>`
    select head from engine_state where workspace_id = ${workspaceId}`.execute(tx)
  if (found.rows[0]) return found.rows[0].head
  await sql`insert into engine_state (workspace_id) values (${workspaceId}) on conflict do nothing`.execute(tx)
  return 0
}

/** The head under a lock that ends with the transaction: nobody else changes the groups until then. */
export async function lockHead(tx: Tx, workspaceId: string): Promise<number> {
  const { rows } = await sql<{ head: number }>`
    select head from engine_state where workspace_id = ${workspaceId} for update`.execute(tx)
  return rows[0]?.head ?? 0
}

/** Items that wait to be grouped, in the order in which they were stored. */
export async function readWaiting(tx: Tx, workspaceId: string, limit: number): Promise<WaitingItem[]> {
  const { rows } = await sql<WaitingItem>`
    select id, text, author, thread, "saidAt", version, old.numbers, old."issueNumbers", ${piecesOf(workspaceId)} as pieces
    from (
      select id, text, author, thread, "saidAt", version, hash, sum(length(text)) over (order by id) - length(text) as before
      from (
        select id, left(text, ${READ_CHARACTERS}::int) as text, author, thread, said_at as "saidAt", xmin::text as version,
          ${textHash} as hash
        from feedback_item where workspace_id = ${workspaceId} and grouped_seq is null
        order by id limit ${limit}
      ) first
    ) waiting
    cross join lateral (
      select array_agg(number) as numbers, array_agg(issue_number) filter (where issue_number is not null) as "issueNumbers"
      from statement where workspace_id = ${workspaceId} and item_id = waiting.id
    ) old
    where before < ${STEP_CHARACTERS}::bigint
    order by id`.execute(tx)
  return rows
}

export async function readForgotten(tx: Tx, workspaceId: string): Promise<ForgottenItem[]> {
  const { rows } = await sql<ForgottenItem>`
    select item_id as "itemId", numbers, issue_numbers as "issueNumbers" from forgotten_item
    where workspace_id = ${workspaceId} order by item_id limit ${FORGET_AT_ONCE}`.execute(tx)
  return rows
}

/** Insights that a person deleted or restored since the group index last heard of it. */
export async function readMarks(tx: Tx, workspaceId: string): Promise<{ issueNumber: number; deleted: boolean }[]> {
  const { rows } = await sql<{ issueNumber: number; deleted: boolean }>`
    select issue_number as "issueNumber", deleted_at is not null as deleted from insight
    where workspace_id = ${workspaceId} and removed_in_engine <> (deleted_at is not null)
    order by issue_number`.execute(tx)
  return rows
}

/** True when a workspace has anything for a grouping to do. */
export async function hasWork(tx: Tx, workspaceId: string): Promise<boolean> {
  const { rows } = await sql<{ waits: boolean }>`
    select exists (select 1 from feedback_item where workspace_id = ${workspaceId} and grouped_seq is null)
      or exists (select 1 from forgotten_item where workspace_id = ${workspaceId})
      or exists (select 1 from correction where workspace_id = ${workspaceId} and (state = 'waiting' or undoing))
      or exists (select 1 from model_join where workspace_id = ${workspaceId} and state = 'waiting')
      or exists (select 1 from insight
        where workspace_id = ${workspaceId} and removed_in_engine <> (deleted_at is not null)) as waits`.execute(tx)
  return rows[0]?.waits ?? false
}

/** The snapshot, under a lock that keeps it from being replaced meanwhile, and what has to be told to the engine once everything after it was replayed. */
export async function readSnapshot(
  tx: Tx,
  workspaceId: string,
): Promise<{ head: number; groupedSeq: number; state: Uint8Array | null; removed: number[]; lastIssue: number }> {
  const { rows } = await sql<{ head: number; groupedSeq: number; bytes: number | null }>`
    select head, grouped_seq as "groupedSeq", length(state) as bytes from engine_state
    where workspace_id = ${workspaceId} for share`.execute(tx)
  const { head = 0, groupedSeq = 0, bytes = null } = rows[0] ?? {}
  const state = bytes === null ? null : await readState(tx, workspaceId, bytes)
  const issues = await sql<{ removed: number[] | null; lastIssue: number | null }>`
    select array_agg(issue_number) filter (where removed_in_engine) as removed, max(issue_number) as "lastIssue"
    from insight where workspace_id = ${workspaceId}`.execute(tx)
  const { removed, lastIssue } = issues.rows[0] ?? {}
  return { head, groupedSeq, state, removed: removed ?? [], lastIssue: lastIssue ?? 0 }
}

/** Piece by piece: the driver turns a whole large value into bytes in one go, and the event loop would stand still. */
async function readState(tx: Tx, workspaceId: string, bytes: number): Promise<Uint8Array> {
  const state = Buffer.allocUnsafeSlow(bytes)
  for (let at = 0; at < bytes; at += STATE_PIECE) {
    const { rows } = await sql<{ piece: Buffer }>`
      select substr(state, ${at + 1}::int, ${STATE_PIECE}::int) as piece from engine_state
      where workspace_id = ${workspaceId}`.execute(tx)
    rows[0]?.piece.copy(state, at)
  }
  return state
}

/** Stored statements of the items that were grouped after a place, in that order, a page of items at a time. */
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
      select grouped_seq from feedback_item where workspace_id = ${workspaceId} and grouped_seq > ${afterSeq}
      order by grouped_seq limit ${items}
    ) page`.execute(tx)
  const lastSeq = page.rows[0]?.lastSeq ?? null
  if (lastSeq === null) return { lastSeq, statements: [] }
  const { rows } = await sql<Row>`
    select item.grouped_seq as seq, item.id as "itemId", s.number, left(item.text, s.end_offset) as "itemText",
      s.start_offset as start, s.end_offset as end, s.said_at as "saidAt", item.author, item.thread, s.kind,
      s.issue_number as "issueId", s.score, s.reason
    from feedback_item item join statement s on s.workspace_id = ${workspaceId} and s.item_id = item.id
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

/** Gives items their place in the groups. False when one of them was changed or deleted after it had been read. */
export async function placeItems(
  tx: Tx,
  workspaceId: string,
  head: number,
  items: readonly WaitingItem[],
): Promise<boolean> {
  if (items.length === 0) return true
  const { numAffectedRows } = await sql`
    update feedback_item item set grouped_seq = ${head}::bigint + place.position
    from unnest(${numberArray(items.map((item) => item.id))}::bigint[],
      ${textArray(items.map((item) => item.version))}::text[])
      with ordinality as place (id, version, position)
    where item.workspace_id = ${workspaceId} and item.id = place.id and item.xmin::text = place.version`.execute(tx)
  return Number(numAffectedRows) === items.length
}

/** Removes the statements of texts that are no more, and what was noted of deleted items. */
export async function clearForgotten(
  tx: Tx,
  workspaceId: string,
  edited: readonly number[],
  deleted: readonly number[],
): Promise<void> {
  if (edited.length > 0) {
    await sql`delete from statement
      where workspace_id = ${workspaceId} and item_id = any(${[...edited]}::bigint[])`.execute(tx)
  }
  if (deleted.length > 0) {
    await sql`delete from forgotten_item
      where workspace_id = ${workspaceId} and item_id = any(${[...deleted]}::bigint[])`.execute(tx)
  }
}

/** Makes or renames the described issues, but for names that a person gave or locked; a new one is hidden until its mentions are counted. */
export async function storeDescriptions(
  tx: Tx,
  workspaceId: string,
  descriptions: StepResult['descriptions'],
  now: Date,
): Promise<void> {
  if (descriptions.length === 0) return
  await sql`
    insert into insight (workspace_id, issue_number, name, engine_name, summary, described_hash, hidden, last_updated)
    select ${workspaceId}::uuid, number, name, name, summary, hash, true, ${now}::timestamptz
    from unnest(${descriptions.map((one) => one.issueId)}::int[], ${descriptions.map((one) => one.name)}::text[],
      ${descriptions.map((one) => one.summary)}::text[], ${descriptions.map((one) => one.hash)}::text[])
      as described (number, name, summary, hash)
    on conflict (workspace_id, issue_number) do update
    set name = case when insight.name_by_person or insight.locked then insight.name else excluded.name end,
      summary = case when insight.locked then insight.summary else excluded.summary end,
      engine_name = excluded.name, described_hash = excluded.described_hash,
      last_updated = excluded.last_updated, ended_at = null, merged_into = null
    where insight.described_hash is distinct from excluded.described_hash or insight.ended_at is not null`.execute(tx)
}

export async function storeStatements(
  tx: Tx,
  workspaceId: string,
  columns: StepResult['statements'],
  now: Date,
): Promise<void> {
  if (columns.count === 0) return
  await sql`
    insert into statement (workspace_id, item_id, number, start_offset, end_offset, kind, issue_number, score, reason,
      candidates, said_at, decided_by, decided_at, engine_version)
    select ${workspaceId}::uuid, item_id, number, start_offset, end_offset, kind, issue_number, score, reason,
      candidates::jsonb, said_at, ${decider}, ${now}::timestamptz, ${String(ENGINE_VERSION)}
    from unnest(${columns.itemIds}::bigint[], ${columns.numbers}::smallint[], ${columns.starts}::int[],
      ${columns.ends}::int[], ${columns.kinds}::text[], ${columns.issues}::int[], ${columns.scores}::real[],
      ${columns.reasons}::text[], ${columns.candidates}::text[], ${columns.saidAt}::timestamptz[])
      as made (item_id, number, start_offset, end_offset, kind, issue_number, score, reason, candidates, said_at)`.execute(
    tx,
  )
}

/** Stores where statements went. One that is there already keeps its reason. */
export async function storeMoves(tx: Tx, workspaceId: string, columns: StepResult['moves'], now: Date): Promise<void> {
  if (columns.count === 0) return
  const update = sql`
    update statement s
    set issue_number = move.issue_number, kind = case when move.issue_number is null then 'pending' else 'joined' end,
      score = move.score, reason = move.reason, candidates = move.candidates::jsonb, 
      decided_by = case move.reason when ${BY_PERSON} then 'person' when ${BY_MODEL} then 'model' else 'engine' end,
      decided_at = ${now}::timestamptz, engine_version = ${String(ENGINE_VERSION)}
    from unnest(${columns.itemIds}::bigint[], ${columns.numbers}::smallint[], ${columns.issues}::int[],
      ${columns.scores}::real[], ${columns.reasons}::text[], ${columns.candidates}::text[])
      as move (item_id, number, issue_number, score, reason, candidates)
    where s.workspace_id = ${workspaceId} and s.item_id = move.item_id and s.number = move.number
      and s.issue_number is distinct from move.issue_number`
  await joiningSets(tx, columns.count, () => update.execute(tx))
}

/** Ends issues that a revision merged or dissolved. Their rows stay: deliveries and links name them. */
export async function storeEnds(tx: Tx, workspaceId: string, events: StepResult['events'], now: Date): Promise<void> {
  const ends = events.flatMap((event): { issueId: number; into: number | null }[] => {
    if (event.kind === 'merged') return [{ issueId: event.issueId, into: event.into }]
    return event.kind === 'ended' ? [{ issueId: event.issueId, into: null }] : []
  })
  if (ends.length === 0) return
  await sql`
    update insight set ended_at = ${now}, merged_into = ended.into_number
    from unnest(${ends.map((end) => end.issueId)}::int[], ${ends.map((end) => end.into)}::int[])
      as ended (number, into_number)
    where insight.workspace_id = ${workspaceId} and insight.issue_number = ended.number`.execute(tx)
}

/**
 * Counts the mentions of the touched issues anew. Below two items an issue is hidden; an issue that was resolved and is
 * said again is a regression.
 */
export async function recount(
  tx: Tx,
  workspaceId: string,
  touched: StepResult['touched'],
  revision: number,
  now: Date,
): Promise<void> {
  if (touched.length === 0) return
  const numbers = touched.map((one) => one.issueId)
  await sql`
    with by_person as (
      select s.issue_number, coalesce(item.author, item.id::text) collate "C" as person, item.connection_id,
        count(*) as mentions, min(s.item_id) as lowest, max(s.item_id) as highest, min(s.said_at) as first_seen,
        max(s.said_at) as last_seen
      from statement s
      join feedback_item item on item.workspace_id = ${workspaceId} and item.id = s.item_id
      where s.workspace_id = ${workspaceId} and s.issue_number = any(${numbers}::int[])
      group by 1, 2, 3
    ), counted as (
      select issue_number, sum(mentions)::int as mentions, count(distinct person)::int as people,
        min(lowest) < max(highest) as recurs, min(first_seen) as first_seen, max(last_seen) as last_seen,
        array_agg(distinct connection_id) as connections
      from by_person group by issue_number
    )
    update insight
    set mention_count = coalesce(counted.mentions, 0), people_count = coalesce(counted.people, 0),
      first_seen = counted.first_seen, last_seen = counted.last_seen, hidden = not coalesce(counted.recurs, false),
      sources = coalesce((select array_agg(distinct connector order by connector) from connection
        where workspace_id = ${workspaceId} and id = any(counted.connections)), '{}'),
      heard = insight.heard + greatest(touched.gained, 0), revision = ${revision}::bigint,
      last_updated = ${now}::timestamptz,
      status = case when insight.status = 'resolved' and touched.gained > 0 then 'regressed' else insight.status end
    from unnest(${numbers}::int[], ${touched.map((one) => one.gained)}::int[]) as touched (number, gained)
    left join counted on counted.issue_number = touched.number
    where insight.workspace_id = ${workspaceId} and insight.issue_number = touched.number`.execute(tx)
}

/** Counts the mentions that insights lost because their messages were deleted. */
export async function noteLost(tx: Tx, workspaceId: string, lost: ReadonlyMap<number, number>): Promise<void> {
  if (lost.size === 0) return
  await sql`
    update insight set lost = insight.lost + gone.mentions
    from unnest(${[...lost.keys()]}::int[], ${[...lost.values()]}::int[]) as gone (number, mentions)
    where insight.workspace_id = ${workspaceId} and insight.issue_number = gone.number`.execute(tx)
}

/** Notes that the group index knows of these deletions and restorations. */
export async function confirmMarks(
  tx: Tx,
  workspaceId: string,
  marks: readonly { issueNumber: number; deleted: boolean }[],
): Promise<void> {
  if (marks.length === 0) return
  await sql`
    update insight set removed_in_engine = mark.deleted
    from unnest(${marks.map((mark) => mark.issueNumber)}::int[], ${marks.map((mark) => mark.deleted)}::boolean[])
      as mark (number, deleted)
    where insight.workspace_id = ${workspaceId} and insight.issue_number = mark.number`.execute(tx)
}

export async function storeHead(
  tx: Tx,
  workspaceId: string,
  head: number,
  snapshot: Uint8Array | null,
  now: Date,
): Promise<void> {
  if (snapshot === null) {
    await sql`update engine_state set head = ${head} where workspace_id = ${workspaceId}`.execute(tx)
    return
  }
  const bytes = Buffer.from(snapshot.buffer, snapshot.byteOffset, snapshot.byteLength)
  await sql`
    update engine_state set head = ${head}, grouped_seq = ${head}, state = ${bytes}, stored_at = ${now}
    where workspace_id = ${workspaceId}`.execute(tx)
}

/** Drops a snapshot that cannot be read: the groups are then built from all stored decisions. */
export async function dropSnapshot(tx: Tx, workspaceId: string): Promise<void> {
  await sql`update engine_state set state = null, grouped_seq = 0 where workspace_id = ${workspaceId}`.execute(tx)
}

/** The ids of all workspaces, for periodic work. */
export async function readWorkspaceIds(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select all_workspace_ids() as id`.execute(tx)
  return rows.map((row) => row.id)
}
