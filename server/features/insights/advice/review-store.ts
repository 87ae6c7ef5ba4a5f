import { FIRST_EMERGING, MAX_REVIEWED, REVIEW_GROWTH, REVIEWED_FROM } from '@groundswell/engine/index.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { feedbackItemsView } from '../../feedback/index.ts'
import { type AskedWith, type ControlCounts, holdGroups } from './answer-store.ts'

/** A mention as a review shows it. `point`: what was read in it. `hash`: of the whole message, to recognise an edit. */
export type ReviewedMention = {
  itemId: number
  number: number
  start: number
  message: string
  text: string
  point: string | null
  hash: string
}

/** How many of the newest mentions are searched for those that were compared with an insight. */
const NEWEST_COMPARED = 20_000
/** Later reviews move at most this share of a workspace's mentions in a day, or this many. */
const DAILY_SHARE = 0.03
const DAILY_MIN = 3
/** The error rate covers only the last insights that were reviewed, so that a model that becomes worse is noticed. */
const INSIGHTS_MEASURED = 100

const open = sql`insight.deleted_at is null and insight.ended_at is null and not insight.hidden and not insight.locked`
/** Pushed, or named, judged, assigned or corrected by a person. */
const isTouched = sql`(insight.status <> 'created' or insight.name_by_person or insight.team_status is not null or insight.assigned_to is not null
  or exists (select from statement_rule rule where rule.workspace_id = insight.workspace_id and rule.pin = insight.issue_number))`
/** Never reviewed (`r`), grown by a quarter since, or left alone after a call that failed. */
const isDue = sql`(r.issue_number is null or r.failures > 0 or r.retry_at is not null
  or insight.mention_count >= r.mention_count * ${REVIEW_GROWTH}::numeric)`
const isSameModel = sql`(r.model = excluded.model and r.prompt_version = excluded.prompt_version)`
const hashOf = sql`encode(sha256(convert_to(item.text, 'UTF8')), 'hex')`

/**
 * Insights that are to be reviewed, the largest first: new ones, those that have grown by a quarter since their last review, and those about
 * which another model or prompt gave no reply that was believed. None while feedback or an earlier review waits for the next
 * grouping, nor for a while after the budget was used up.
 */
export async function readUnreviewed(
  tx: Tx,
  workspaceId: string,
  by: AskedWith & { now: Date },
  limit: number,
): Promise<number[]> {
  const { rows } = await sql<{ issueNumber: number }>`
    select insight.issue_number as "issueNumber"
    from insight left join model_review r
      on r.workspace_id = insight.workspace_id and r.issue_number = insight.issue_number
    where insight.workspace_id = ${workspaceId} and ${open} and insight.mention_count >= ${REVIEWED_FROM}::int
      and (r.retry_at is null or r.retry_at <= ${by.now}::timestamptz)
      and (${isDue}
        or (r.refused is not null and (r.model <> ${by.model} or r.prompt_version <> ${by.promptVersion})))
      and not exists (select from ${feedbackItemsView} item where workspace_id = ${workspaceId} and grouped_seq is null)
      and not exists (select from model_move where workspace_id = ${workspaceId} and state = 'waiting')
      and not exists (select from model_review where workspace_id = ${workspaceId} and merge_into is not null)
      and not exists (select from model_review
        where workspace_id = ${workspaceId} and failures = 0 and retry_at > ${by.now}::timestamptz)
    order by insight.mention_count desc, insight.issue_number limit ${limit}`.execute(tx)
  return rows.map((row) => row.issueNumber)
}

/** How many insights there are that are new to reviews or have grown by a quarter since theirs, and how many of their mentions are shown to the model. */
export async function countUnreviewed(tx: Tx, workspaceId: string): Promise<{ insights: number; shown: number }> {
  const { rows } = await sql<{ insights: number; shown: number }>`
    select count(*)::int as insights, coalesce(sum(least(insight.mention_count, ${MAX_REVIEWED}::int)), 0)::int as shown
    from insight left join model_review r
      on r.workspace_id = insight.workspace_id and r.issue_number = insight.issue_number
    where insight.workspace_id = ${workspaceId} and ${open} and insight.mention_count >= ${REVIEWED_FROM}::int and ${isDue}`.execute(
    tx,
  )
  return rows[0] ?? { insights: 0, shown: 0 }
}

/** The mentions of an insight now, and at its last review that was believed; 0: there was none. Null when it may no longer be reviewed. */
export async function readReviewable(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
): Promise<{ mentions: number; reviewed: number } | null> {
  const { rows } = await sql<{ mentions: number; reviewed: number }>`
    select insight.mention_count as mentions, coalesce(r.mention_count, 0) as reviewed
    from insight left join model_review r
      on r.workspace_id = insight.workspace_id and r.issue_number = insight.issue_number and r.tokens > 0 and r.refused is null
    where insight.workspace_id = ${workspaceId} and insight.issue_number = ${issueNumber} and ${open}`.execute(tx)
  return rows[0] ?? null
}

/** The mentions of an insight that arrived last, without those that people have placed or rejected somewhere. */
export async function readReviewedMentions(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  limit: number,
): Promise<ReviewedMention[]> {
  const { rows } = await sql<ReviewedMention & { end: number }>`
    select s.item_id as "itemId", s.number, s.start_offset as start, s.end_offset as "end", item.text as message, s.point,
      ${hashOf} as hash
    from statement s
    join ${feedbackItemsView} item on item.workspace_id = ${workspaceId} and item.id = s.item_id
    where s.workspace_id = ${workspaceId} and s.issue_number = ${issueNumber}
      and not exists (select from statement_rule rule
        where rule.workspace_id = ${workspaceId} and rule.item_id = s.item_id and rule.number = s.number)
    order by s.item_id desc, s.number desc limit ${limit}`.execute(tx)
  return rows.map(({ end, ...row }) => ({ ...row, text: row.message.slice(row.start, end) }))
}

/**
 * The shown insights nearest to one: those that its mentions were compared with, those whose newest mentions were compared with it, and those that may be
 * one with it.
 */
export async function readNearest(tx: Tx, workspaceId: string, issueNumber: number, limit: number): Promise<number[]> {
  const { rows } = await sql<{ number: number }>`
    with near as (
      select (candidate ->> 'issueId')::int as number, (candidate ->> 'score')::real as score
      from statement s, jsonb_array_elements(s.candidates) candidate
      where s.workspace_id = ${workspaceId} and s.issue_number = ${issueNumber} and s.candidates is not null
      union all
      select newest.number, (candidate ->> 'score')::real
      from (select issue_number as number, candidates from statement
          where workspace_id = ${workspaceId} and candidates is not null and issue_number is not null
          order by item_id desc limit ${NEWEST_COMPARED}) newest, jsonb_array_elements(newest.candidates) candidate
      where (candidate ->> 'issueId')::int = ${issueNumber}::int
      union all
      select unnest(issue_numbers), score * 10 from merge_suggestion
      where workspace_id = ${workspaceId} and ${issueNumber}::int = any(issue_numbers)
    )
    select insight.issue_number as number from near
    join insight on insight.workspace_id = ${workspaceId} and insight.issue_number = near.number
    where ${open} and near.number <> ${issueNumber} and near.number < ${FIRST_EMERGING}::int
    group by insight.issue_number order by sum(near.score) desc, insight.issue_number limit ${limit}`.execute(tx)
  return rows.map((row) => row.number)
}

/** A large shown insight other than these; null when there is none. */
export async function readFar(tx: Tx, workspaceId: string, near: readonly number[]): Promise<number | null> {
  const { rows } = await sql<{ number: number }>`
    select issue_number as number from insight
    where workspace_id = ${workspaceId} and ${open} and issue_number <> all(${[...near]}::int[])
    order by mention_count desc, issue_number limit 1`.execute(tx)
  return rows[0]?.number ?? null
}

/**
 * What a review found. `refused`: why nothing came of it. `to`: the insight that a stranger belongs to, 0 for none; `part`: strangers with the same one are about
 * one other thing, null for a single one. `same`: insights that are the same problem. `wrong`: whether the model answered a control wrong; null: it was not asked.
 */
export type ReviewOutcome = AskedWith & {
  issueNumber: number
  mentions: number
  refused: 'reply' | 'people' | null
  tokens: number
  strangers: readonly (ReviewedMention & { to: number; part: number | null })[]
  same: readonly number[]
  wrong: boolean | null
}

/**
 * Stores a review, and what it changes for the next grouping to carry out: the mentions that it takes out of the insight, if they are still in it with the
 * same text; and the merge with an insight whose own review said the same. Of a later review no more than the day allows. Returns whether it
 * changes anything.
 */
export async function storeReview(tx: Tx, workspaceId: string, outcome: ReviewOutcome, now: Date): Promise<boolean> {
  const { issueNumber, mentions, refused, tokens, strangers, same, wrong, model, promptVersion } = outcome
  await holdGroups(tx, workspaceId)
  const earlier = await sql`
    select from model_review
    where workspace_id = ${workspaceId} and issue_number = ${issueNumber} and tokens > 0 and refused is null
    for update`.execute(tx)
  const later = earlier.rows.length > 0
  await sql`
    insert into model_review as r (workspace_id, issue_number, mention_count, refused, model, prompt_version, tokens, same, asked, wrong, reviewed_at)
    values (${workspaceId}, ${issueNumber}, ${mentions}, ${refused}, ${model}, ${promptVersion}, ${tokens}, ${[...same]}::int[],
      ${wrong === null ? 0 : 1}::int, ${wrong === true ? 1 : 0}::int, ${now}::timestamptz)
    on conflict (workspace_id, issue_number) do update
    set asked = excluded.asked + case when ${isSameModel} then r.asked else 0 end,
      wrong = excluded.wrong + case when ${isSameModel} then r.wrong else 0 end,
      mention_count = excluded.mention_count, refused = excluded.refused, model = excluded.model,
      prompt_version = excluded.prompt_version, tokens = r.tokens + excluded.tokens, failures = 0, retry_at = null,
      same = excluded.same, reviewed_at = excluded.reviewed_at`.execute(tx)
  const room = later ? await readRoom(tx, workspaceId, now) : Number.POSITIVE_INFINITY
  const moved = await storeMoves(tx, workspaceId, { ...outcome, strangers: strangers.slice(0, room), later }, now)
  return (await agreeOnMerge(tx, workspaceId, issueNumber, { later, room: room - moved })) || moved > 0
}

/** What this model's reviews of the insights reviewed last say about it. */
export async function countReviewErrors(
  tx: Tx,
  workspaceId: string,
  { model, promptVersion }: AskedWith,
): Promise<ControlCounts> {
  const { rows } = await sql<ControlCounts>`
    select coalesce(sum(asked), 0)::int as asked, coalesce(sum(wrong), 0)::int as wrong from (
      select asked, wrong from model_review
      where workspace_id = ${workspaceId} and model = ${model} and prompt_version = ${promptVersion} and asked > 0
      order by reviewed_at desc, issue_number limit ${INSIGHTS_MEASURED}) last`.execute(tx)
  return rows[0] ?? { asked: 0, wrong: 0 }
}

/** Restarts the count of wrong reviews at zero. */
export async function forgetReviewErrors(tx: Tx, workspaceId: string): Promise<void> {
  await sql`update model_review set asked = 0, wrong = 0 where workspace_id = ${workspaceId} and asked > 0`.execute(tx)
}

/** Forgets what reviews decided and the next grouping was to carry out. */
export async function withdrawReviews(tx: Tx, workspaceId: string): Promise<void> {
  await holdGroups(tx, workspaceId)
  await sql`delete from model_move where workspace_id = ${workspaceId} and state = 'waiting'`.execute(tx)
  await sql`
    update model_review set merge_into = null, same = '{}'
    where workspace_id = ${workspaceId} and (merge_into is not null or same <> '{}')`.execute(tx)
}

async function storeMoves(
  tx: Tx,
  workspaceId: string,
  { issueNumber, strangers, later, model, promptVersion }: ReviewOutcome & { later: boolean },
  now: Date,
): Promise<number> {
  if (strangers.length === 0) return 0
  const { rows } = await sql`
    insert into model_move (workspace_id, item_id, number, from_number, to_number, part, state, later, model, prompt_version, decided_at)
    select ${workspaceId}::uuid, s.item_id, s.number, ${issueNumber}::int, one.target, one.part, 'waiting', ${later}::boolean, ${model}::text,
      ${promptVersion}::text, ${now}::timestamptz
    from unnest(${strangers.map((one) => one.itemId)}::bigint[], ${strangers.map((one) => one.number)}::smallint[],
      ${strangers.map((one) => one.start)}::int[], ${strangers.map((one) => one.hash)}::text[], ${strangers.map((one) => one.to)}::int[],
      ${strangers.map((one) => one.part)}::smallint[]) as one (item_id, number, start, hash, target, part)
    join statement s on s.workspace_id = ${workspaceId} and s.item_id = one.item_id and s.number = one.number
      and s.start_offset = one.start and s.issue_number = ${issueNumber}::int
    join ${feedbackItemsView} item on item.workspace_id = ${workspaceId} and item.id = s.item_id and ${hashOf} = one.hash
    where not exists (select from statement_rule rule
      where rule.workspace_id = ${workspaceId} and rule.item_id = s.item_id and rule.number = s.number)
    on conflict (workspace_id, item_id, number, from_number) do update
    set to_number = excluded.to_number, part = excluded.part, whole = false, state = 'waiting', later = excluded.later, model = excluded.model,
      prompt_version = excluded.prompt_version, decided_at = excluded.decided_at
    returning 1`.execute(tx)
  return rows.length
}

/**
 * Has the next grouping merge an insight with one that it said is the same problem, and whose review said so too, if people have touched at most one
 * of them: that one stays, else the larger. The largest first, and at most `room` mentions. `later`: it counts towards what later reviews may move in a
 * day. Returns whether there is one.
 */
async function agreeOnMerge(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  { later, room }: { later: boolean; room: number },
): Promise<boolean> {
  const { rows } = await sql<{ number: number; mentions: number; touched: boolean }>`
    select insight.issue_number as number, insight.mention_count as mentions, ${isTouched} as touched from insight
    where insight.workspace_id = ${workspaceId} and ${open} and (insight.issue_number = ${issueNumber}::int or exists (
      select from model_review own join model_review other on other.workspace_id = own.workspace_id
      where own.workspace_id = ${workspaceId} and own.issue_number = ${issueNumber}::int and other.issue_number = insight.issue_number
        and other.issue_number = any(own.same) and own.issue_number = any(other.same)
        and own.merge_into is null and other.merge_into is null))
    order by insight.mention_count desc, insight.issue_number`.execute(tx)
  const own = rows.find((row) => row.number === issueNumber)
  for (const other of rows) {
    if (!own || other === own || (own.touched && other.touched)) continue
    const isOwnKept = own.touched || (!other.touched && rows.indexOf(own) < rows.indexOf(other))
    const [into, from] = isOwnKept ? [own, other] : [other, own]
    if (from.mentions > room) continue
    await sql`
      update model_review set merge_into = ${into.number}::int, merge_later = ${later}::boolean
      where workspace_id = ${workspaceId} and issue_number = ${from.number}::int`.execute(tx)
    return true
  }
  return false
}

/** How many mentions later reviews may still move today. */
async function readRoom(tx: Tx, workspaceId: string, now: Date): Promise<number> {
  const { rows } = await sql<{ room: number }>`
    select greatest(0, greatest(${DAILY_MIN}::int,
        floor(${DAILY_SHARE}::numeric * (select coalesce(sum(mention_count), 0) from insight where workspace_id = ${workspaceId} and ${open})))
      - (select count(*) from model_move
        where workspace_id = ${workspaceId} and later and decided_at > ${now}::timestamptz - interval '1 day'))::int as room`.execute(
    tx,
  )
  return rows[0]?.room ?? 0
}

/** Leaves an insight alone after a failed call: for 10 minutes, then four times as long, up to a day; or for exactly `minutes`. */
export async function postponeReview(
  tx: Tx,
  workspaceId: string,
  { issueNumber, mentions }: { issueNumber: number; mentions: number },
  { model, promptVersion, now, minutes }: AskedWith & { now: Date; minutes?: number },
): Promise<void> {
  const counted = minutes === undefined ? 1 : 0
  const first = `${minutes ?? 10} minutes`
  await sql`
    insert into model_review as r (workspace_id, issue_number, mention_count, model, prompt_version, failures, retry_at, reviewed_at)
    values (${workspaceId}, ${issueNumber}, ${mentions}, ${model}, ${promptVersion}, ${counted}::int,
      ${now}::timestamptz + ${first}::interval, ${now}::timestamptz)
    on conflict (workspace_id, issue_number) do update
    set failures = r.failures + ${counted}::int,
      retry_at = ${now}::timestamptz + least(interval '1 day',
        ${first}::interval * power(4, case when ${counted}::int = 0 then 0 else least(r.failures, 10) end))`.execute(tx)
}
