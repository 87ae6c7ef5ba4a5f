import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { feedbackItemsView } from '../../feedback/index.ts'
import type { AskedWith } from './answer-store.ts'

/** An insight as the engine describes it now. */
export type Described = { issueNumber: number; hash: string; name: string; mentions: number }

/** What is stored after the model was asked about an insight. `answer` is null when none was good enough. */
type Outcome = AskedWith & {
  issueNumber: number
  hash: string
  mentions: number
  answer: { name: string; summary: string } | null
  refused: string | null
  tokens: number
}

/** The model is asked again when an insight has grown by this factor. */
const GROWTH = 1.25

const shown = sql`insight.deleted_at is null and insight.ended_at is null and not insight.hidden`

/**
 * Shown insights that the model has not described in their current state, largest first: new ones, those that the engine
 * describes differently now or that have grown by a quarter, and those for which another model or prompt gave no good
 * answer. None while feedback waits to be grouped, since it would change the insights.
 */
export async function readUndescribed(
  tx: Tx,
  workspaceId: string,
  by: AskedWith & { now: Date },
  limit: number,
): Promise<number[]> {
  const { rows } = await sql<{ issueNumber: number }>`
    select insight.issue_number as "issueNumber"
    from insight left join model_description d
      on d.workspace_id = insight.workspace_id and d.issue_number = insight.issue_number
    where insight.workspace_id = ${workspaceId} and ${shown} and insight.described_hash is not null
      and (d.retry_at is null or d.retry_at <= ${by.now}::timestamptz)
      and (d.issue_number is null or d.described_hash <> insight.described_hash or d.failures > 0
        or insight.mention_count >= d.mention_count * ${GROWTH}::numeric
        or (d.name is null and (d.model <> ${by.model} or d.prompt_version <> ${by.promptVersion})))
      and not exists (select from ${feedbackItemsView} item where workspace_id = ${workspaceId} and grouped_seq is null)
    order by insight.mention_count desc, insight.issue_number limit ${limit}`.execute(tx)
  return rows.map((row) => row.issueNumber)
}

/** A shown insight; null when it is no longer shown. */
export async function readDescribed(tx: Tx, workspaceId: string, issueNumber: number): Promise<Described | null> {
  const { rows } = await sql<Described>`
    select issue_number as "issueNumber", described_hash as hash, name, mention_count as mentions from insight
    where workspace_id = ${workspaceId} and issue_number = ${issueNumber} and ${shown} and described_hash is not null`.execute(
    tx,
  )
  return rows[0] ?? null
}

/**
 * Stores the model's answer. Without a good one, a name that the model gave to the same description stays: the group has
 * only grown.
 */
export async function storeDescription(tx: Tx, workspaceId: string, outcome: Outcome, now: Date): Promise<void> {
  const { issueNumber, hash, mentions, answer, refused, model, promptVersion, tokens } = outcome
  await sql`
    insert into model_description as d (workspace_id, issue_number, described_hash, mention_count, name, summary, refused,
      model, prompt_version, tokens, made_at)
    values (${workspaceId}, ${issueNumber}, ${hash}, ${mentions}, ${answer?.name ?? null}, ${answer?.summary ?? null},
      ${refused}, ${model}, ${promptVersion}, ${tokens}, ${now}::timestamptz)
    on conflict (workspace_id, issue_number) do update
    set described_hash = excluded.described_hash, mention_count = excluded.mention_count, refused = excluded.refused,
      name = case when excluded.name is null and d.described_hash = excluded.described_hash then d.name else excluded.name end,
      summary = case when excluded.name is null and d.described_hash = excluded.described_hash then d.summary
        else excluded.summary end,
      model = excluded.model, prompt_version = excluded.prompt_version, tokens = d.tokens + excluded.tokens, failures = 0,
      retry_at = null, made_at = excluded.made_at`.execute(tx)
}

/** Leaves an insight alone after a failed call: for 10 minutes, then four times as long, up to a day. */
export async function postponeDescription(
  tx: Tx,
  workspaceId: string,
  { issueNumber, hash, mentions }: Described,
  by: AskedWith,
  now: Date,
): Promise<void> {
  await sql`
    insert into model_description as d (workspace_id, issue_number, described_hash, mention_count, model, prompt_version,
      failures, retry_at, made_at)
    values (${workspaceId}, ${issueNumber}, ${hash}, ${mentions}, ${by.model}, ${by.promptVersion}, 1,
      ${now}::timestamptz + interval '10 minutes', ${now}::timestamptz)
    on conflict (workspace_id, issue_number) do update
    set failures = d.failures + 1,
      retry_at = ${now}::timestamptz + least(interval '1 day', interval '10 minutes' * power(4, least(d.failures, 10)))`.execute(
    tx,
  )
}
