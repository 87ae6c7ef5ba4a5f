import type { CorrectionRequest } from '@groundswell/contract/corrections.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { connectionsView } from '../../connections/index.ts'
import { feedbackItemsView, isInConversation } from '../../feedback/index.ts'
import { numberArray } from '../array-literal.ts'
import { type EvidenceRow, evidenceColumns, withText } from '../evidence-store.ts'
import { described, shownName } from '../shown-store.ts'
import { ANSWERS, type Answer } from './answers.ts'

type SuggestionRow = EvidenceRow & { score: number }

/**
 * The mentions that may belong to an insight, with at least this score, most certain first. A suggestion that is outdated is left out: the mention is
 * already in an insight, or a person put it somewhere or said that it is not of this one.
 */
export async function readMemberSuggestions(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  minScore: number,
): Promise<SuggestionRow[]> {
  const { rows } = await sql<Omit<SuggestionRow, 'text'>>`
    select ${evidenceColumns}, item.text as message, ${isInConversation} as "inThread", suggested.score
    from member_suggestion suggested
    join statement s on s.workspace_id = ${workspaceId} and s.item_id = suggested.item_id and s.number = suggested.number
      and s.issue_number is null and s.kind <> 'noise'
    join ${feedbackItemsView} item on item.workspace_id = ${workspaceId} and item.id = s.item_id
    join ${connectionsView} connection on connection.workspace_id = ${workspaceId} and connection.id = item.connection_id
    left join statement_rule rule
      on rule.workspace_id = ${workspaceId} and rule.item_id = s.item_id and rule.number = s.number
    left join correction answer on answer.workspace_id = ${workspaceId} and answer.id = suggested.correction_id
    where suggested.workspace_id = ${workspaceId} and suggested.issue_number = ${issueNumber}
      and suggested.score >= ${minScore}::real and rule.pin is null
      and ${issueNumber}::int <> all(coalesce(rule.bans, '{}')) and coalesce(answer.state in ('undone', 'refused'), true)
    order by suggested.score desc, s.said_at desc, s.item_id desc, s.number desc`.execute(tx)
  return rows.map((row) => ({ ...withText(row), score: row.score }))
}

/** The newest answers to suggestions of mentions. */
export async function readMemberAnswers(tx: Tx, workspaceId: string, now: Date): Promise<Answer[]> {
  const { rows } = await sql<Answer>`
    select kind = 'add' as accepted, suggestion_score as score from correction
    where workspace_id = ${workspaceId} and suggestion_score is not null and kind in ('add', 'decline')
      and state in ('waiting', 'applied') and created_at > ${now}::timestamptz - ${ANSWERS.days}::int * interval '1 day'
    order by created_at desc limit ${ANSWERS.count}`.execute(tx)
  return rows
}

/** The newest answers to suggestions of merging insights. */
export async function readMergeAnswers(tx: Tx, workspaceId: string, now: Date): Promise<Answer[]> {
  const { rows } = await sql<Answer>`
    select accepted, score from (
      select true as accepted, suggestion_score as score, created_at as at from correction
      where workspace_id = ${workspaceId} and suggestion_score is not null and kind = 'merge' and state in ('waiting', 'applied')
      union all
      select false, score, declined_at from declined_merge where workspace_id = ${workspaceId} and score is not null
    ) answer
    where at > ${now}::timestamptz - ${ANSWERS.days}::int * interval '1 day'
    order by at desc limit ${ANSWERS.count}`.execute(tx)
  return rows
}

/** The score of the suggestion that a correction of this insight answers; null if it answers none. */
export async function readAnswered(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  request: CorrectionRequest,
): Promise<number | null> {
  if (request.kind === 'merge') {
    const { rows } = await sql<{ score: number | null }>`
      select max(score) as score from merge_suggestion
      where workspace_id = ${workspaceId} and issue_numbers @> ${numberArray([issueNumber, request.into])}::int[]`.execute(
      tx,
    )
    return rows[0]?.score ?? null
  }
  if (request.kind !== 'add' && request.kind !== 'decline') return null
  const { rows } = await sql<{ score: number | null }>`
    select max(score) as score from member_suggestion
    where workspace_id = ${workspaceId} and issue_number = ${issueNumber}
      and item_id || ':' || number = any(${request.mentions}::text[])`.execute(tx)
  return rows[0]?.score ?? null
}

/** Records that a correction answers the suggestions of these mentions: they are not listed while it holds. */
export async function markAnswered(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  mentions: readonly string[],
  correctionId: string,
): Promise<void> {
  await sql`
    update member_suggestion set correction_id = ${correctionId}
    where workspace_id = ${workspaceId} and issue_number = ${issueNumber}
      and item_id || ':' || number = any(${[...mentions]}::text[])`.execute(tx)
}

type MergeGroupRow = { numbers: number[]; score: number }

/** The groups of insights that look like one subject, with at least this score, most similar first. */
export async function readMergeGroups(tx: Tx, workspaceId: string, minScore: number): Promise<MergeGroupRow[]> {
  const { rows } = await sql<MergeGroupRow>`
    select issue_numbers as numbers, score from merge_suggestion
    where workspace_id = ${workspaceId} and score >= ${minScore}::real order by score desc, issue_numbers`.execute(tx)
  return rows
}

/**
 * Insights that a person called different subjects, as lists: any two in one list are. By declining a suggestion, by splitting
 * one from the other, or by undoing a merge.
 */
export async function readKeptApart(tx: Tx, workspaceId: string): Promise<number[][]> {
  const { rows } = await sql<{ numbers: number[] }>`
    select issue_numbers as numbers from declined_merge where workspace_id = ${workspaceId}
    union all
    select touched from correction
    where workspace_id = ${workspaceId} and ((kind = 'split' and state = 'applied') or (kind = 'merge' and state = 'undone'))`.execute(
    tx,
  )
  return rows.map(({ numbers }) => numbers)
}

/** A shown insight that nobody locked. */
export type OpenInsight = { issueNumber: number; name: string; mentionCount: number; peopleCount: number }

/** The shown insights among these that nobody locked, most mentions first. */
export async function readOpenInsights(
  tx: Tx,
  workspaceId: string,
  numbers: readonly number[],
): Promise<OpenInsight[]> {
  const { rows } = await sql<OpenInsight>`
    select insight.issue_number as "issueNumber", ${shownName} as name, insight.mention_count as "mentionCount",
      insight.people_count as "peopleCount"
    from insight ${described}
    where insight.workspace_id = ${workspaceId} and insight.issue_number = any(${numberArray(numbers)}::int[])
      and insight.deleted_at is null and insight.ended_at is null and not insight.hidden and not insight.locked
    order by insight.mention_count desc, insight.issue_number`.execute(tx)
  return rows
}

/**
 * Stores that these insights are different subjects. A revision may have withdrawn the suggestion since it was read; the answer counts all
 * the same, but has no score. Returns the id of the decline, or null when one of the insights does not exist.
 */
export async function addDecline(
  tx: Tx,
  workspaceId: string,
  issueNumbers: readonly number[],
  { person, now }: { person: string; now: Date },
): Promise<string | null> {
  const numbers = numberArray(issueNumbers)
  const { rows } = await sql<{ id: string }>`
    insert into declined_merge (workspace_id, issue_numbers, score, person, declined_at)
    select ${workspaceId}::uuid, ${numbers}::int[],
      (select max(score) from merge_suggestion where workspace_id = ${workspaceId} and issue_numbers @> ${numbers}::int[]),
      ${person}, ${now}::timestamptz
    where ${issueNumbers.length}::int =
      (select count(*) from insight where workspace_id = ${workspaceId} and issue_number = any(${numbers}::int[]))
    returning id`.execute(tx)
  return rows[0]?.id ?? null
}

/** False when there is no such decline. */
export async function removeDecline(tx: Tx, workspaceId: string, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from declined_merge where workspace_id = ${workspaceId} and id = ${id}`.execute(tx)
  return numAffectedRows === 1n
}
