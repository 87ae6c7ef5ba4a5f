import {
  ENGINE_VERSION,
  REASON_AGREES,
  REASON_CLEARER,
  REASON_CLEARLY_OUT,
  REASON_CONVERSATION,
  REASON_MODEL,
  REASON_PERSON,
  REASON_REVIEWED,
  REASON_SAME,
  REASON_STRANGER,
} from '@groundswell/engine/index.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../../platform/db/tenant.ts'
import { feedbackItemsView } from '../../../feedback/index.ts'
import { ASSIGNMENT } from '../../assignment/store.ts'
import { notingMoves } from '../../changes/move-store.ts'
import { inherit } from '../../inherit-store.ts'
import { joiningSets } from '../../large-sets-store.ts'
import { mergesOf } from '../../merges.ts'
import { TEAM_STATUS } from '../../team-status/store.ts'
import type { StepResult } from '../protocol.ts'
import type { DeletionMark } from './work-store.ts'

/** Who decided, derived from the reason. */
const decidedBy = (reason: RawBuilder<unknown>) =>
  sql`case ${reason} when ${REASON_PERSON} then 'person' when ${REASON_MODEL} then 'model'
    when ${REASON_REVIEWED} then 'model' when ${REASON_STRANGER} then 'model' when ${REASON_SAME} then 'model' else 'engine' end`

/** Removes the statements of edited items, and the notes about deleted items. */
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

/**
 * Creates or renames the described insights, except for names that a person gave or locked. A new insight is hidden until its
 * mentions are counted.
 */
export async function storeDescriptions(
  tx: Tx,
  workspaceId: string,
  descriptions: StepResult['descriptions'],
  now: Date,
): Promise<void> {
  if (descriptions.length === 0) return
  await sql`
    insert into insight (workspace_id, issue_number, name, engine_name, name_confident, summary, described_hash, hidden,
      last_updated)
    select ${workspaceId}::uuid, number, name, name, confident, summary, hash, true, ${now}::timestamptz
    from unnest(${descriptions.map((one) => one.issueId)}::int[], ${descriptions.map((one) => one.name)}::text[],
      ${descriptions.map((one) => one.confident)}::boolean[], ${descriptions.map((one) => one.summary)}::text[],
      ${descriptions.map((one) => one.hash)}::text[])
      as described (number, name, confident, summary, hash)
    on conflict (workspace_id, issue_number) do update
    set name = case when insight.name_by_person or insight.locked then insight.name else excluded.name end,
      summary = case when insight.locked then insight.summary else excluded.summary end,
      engine_name = excluded.name, name_confident = excluded.name_confident, described_hash = excluded.described_hash,
      ended_at = null, merged_into = null
    where insight.described_hash is distinct from excluded.described_hash
      or insight.name_confident is distinct from excluded.name_confident or insight.ended_at is not null`.execute(tx)
}

/** Stores new statements with the decision about each. */
export async function storeStatements(
  tx: Tx,
  workspaceId: string,
  columns: StepResult['statements'],
  now: Date,
): Promise<void> {
  if (columns.count === 0) return
  await sql`
    insert into statement (workspace_id, item_id, number, start_offset, end_offset, kind, issue_number, emerging_number,
      score, reason, candidates, said_at, date_only, decided_by, decided_at, engine_version, feedback_kind, kind_by, subjectless, point, read_kind)
    select ${workspaceId}::uuid, item_id, number, start_offset, end_offset, kind, issue_number, emerging_number, score, reason,
      candidates::jsonb, said_at, coalesce((
        select item.date_only from ${feedbackItemsView} item where item.workspace_id = ${workspaceId} and item.id = made.item_id
      ), false), ${decidedBy(sql`reason`)}, ${now}::timestamptz, ${String(ENGINE_VERSION)},
      feedback_kind, kind_by, subjectless, point, read_kind
    from unnest(${columns.itemIds}::bigint[], ${columns.numbers}::smallint[], ${columns.starts}::int[],
      ${columns.ends}::int[], ${columns.kinds}::text[], ${columns.issues}::int[], ${columns.emerging}::int[],
      ${columns.scores}::real[], ${columns.reasons}::text[], ${columns.candidates}::text[], ${columns.saidAt}::timestamptz[],
      ${columns.feedbackKinds}::text[], ${columns.kindBy}::text[], ${columns.subjectless}::boolean[], ${columns.points}::text[],
      ${columns.readKinds}::text[])
      as made (item_id, number, start_offset, end_offset, kind, issue_number, emerging_number, score, reason, candidates, said_at,
        feedback_kind, kind_by, subjectless, point, read_kind)`.execute(tx)
}

/**
 * Stores the moves of statements. A statement that is already there keeps its reason, and so does one that agrees with another that moves. What the
 * insights got and lost by that is noted, but not of `fresh` items: the step grouped them.
 */
export async function storeMoves(
  tx: Tx,
  workspaceId: string,
  columns: StepResult['moves'],
  fresh: readonly number[],
  now: Date,
): Promise<void> {
  if (columns.count === 0) return
  const update = sql`
    update statement s
    set issue_number = move.issue_number, emerging_number = move.emerging_number,
      kind = case when move.issue_number is null then 'pending' else 'joined' end,
      score = move.score,
      reason = case when s.reason = ${REASON_AGREES} and move.reason = ${REASON_CONVERSATION} then s.reason else move.reason end,
      candidates = move.candidates::jsonb,
      decided_by = ${decidedBy(sql`move.reason`)},
      decided_at = ${now}::timestamptz, engine_version = ${String(ENGINE_VERSION)}
    from unnest(${columns.itemIds}::bigint[], ${columns.numbers}::smallint[], ${columns.issues}::int[],
      ${columns.emerging}::int[], ${columns.scores}::real[], ${columns.reasons}::text[], ${columns.candidates}::text[])
      as move (item_id, number, issue_number, emerging_number, score, reason, candidates)
    join statement old on old.workspace_id = ${workspaceId} and old.item_id = move.item_id and old.number = move.number
    where s.workspace_id = ${workspaceId} and s.item_id = move.item_id and s.number = move.number
      and (s.issue_number, s.emerging_number) is distinct from (move.issue_number, move.emerging_number)
    returning s.item_id, old.issue_number as former, s.issue_number as present,
      case when move.reason in (${REASON_CLEARER}, ${REASON_CLEARLY_OUT}) then 'clearer'
        when ${decidedBy(sql`move.reason`)} = 'engine' then 'regrouped' else ${decidedBy(sql`move.reason`)} end as cause`
  await joiningSets(tx, columns.count, () => notingMoves(tx, workspaceId, update, fresh, now))
}

/** Ends insights that a revision merged or dissolved. Their rows stay: deliveries and links refer to them. */
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
  const merges = mergesOf(ends)
  for (const inheritance of [TEAM_STATUS, ASSIGNMENT]) await inherit(tx, workspaceId, merges, inheritance)
}

/** Adds mentions, by insight number, to the count of those lost because their messages were deleted. */
export async function addLostMentions(tx: Tx, workspaceId: string, lost: ReadonlyMap<number, number>): Promise<void> {
  if (lost.size === 0) return
  await sql`
    update insight set lost = insight.lost + gone.mentions
    from unnest(${[...lost.keys()]}::int[], ${[...lost.values()]}::int[]) as gone (number, mentions)
    where insight.workspace_id = ${workspaceId} and insight.issue_number = gone.number`.execute(tx)
}

/** Records that the group index knows of these deletions and restorations. */
export async function confirmMarks(tx: Tx, workspaceId: string, marks: readonly DeletionMark[]): Promise<void> {
  if (marks.length === 0) return
  await sql`
    update insight set removed_in_engine = mark.deleted
    from unnest(${marks.map((mark) => mark.issueNumber)}::int[], ${marks.map((mark) => mark.deleted)}::boolean[])
      as mark (number, deleted)
    where insight.workspace_id = ${workspaceId} and insight.issue_number = mark.number`.execute(tx)
}

/** Copies the dates of messages to their mentions, and returns the numbers of the insights, and of the emerging ones, that these are in. */
export async function redateMentions(
  tx: Tx,
  workspaceId: string,
  itemIds: readonly number[],
): Promise<{ issues: number[]; emerging: number[] }> {
  await sql`
    update statement s set said_at = item.said_at, date_only = item.date_only from ${feedbackItemsView} item
    where s.workspace_id = ${workspaceId} and s.item_id = any(${[...itemIds]}::bigint[])
      and item.workspace_id = ${workspaceId} and item.id = s.item_id
      and (s.said_at, s.date_only) is distinct from (item.said_at, item.date_only)`.execute(tx)
  const { rows } = await sql<{ issues: number[] | null; emerging: number[] | null }>`
    select array_agg(distinct issue_number) filter (where issue_number is not null) as issues,
      array_agg(distinct emerging_number) filter (where emerging_number is not null) as emerging
    from statement where workspace_id = ${workspaceId} and item_id = any(${[...itemIds]}::bigint[])`.execute(tx)
  return { issues: rows[0]?.issues ?? [], emerging: rows[0]?.emerging ?? [] }
}
