import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'

/** An insight as the engine describes it now. */
export type Described = { issueNumber: number; hash: string; name: string; mentions: number }

/** What is stored after an insight was asked about. `answer` is null when none was good enough. */
export type Outcome = {
  issueNumber: number
  hash: string
  mentions: number
  answer: { name: string; summary: string } | null
  refused: string | null
  model: string
  promptVersion: string
  tokens: number
}

export type Trouble = { what: string; since: Date; pausedUntil: Date | null }

/** What the model has done for one workspace. */
export type Use = Record<'tokens' | 'messages' | 'named' | 'refused' | 'judged' | 'joined' | 'split', number>

/** The model is asked again when there are so many times the mentions it knew of. */
const GROWTH = 1.25

const shown = sql`insight.deleted_at is null and insight.ended_at is null and not insight.hidden`

/**
 * Shown insights that the model has not described as they are, largest first: new ones, those that the engine describes
 * anew or that have grown by a quarter, and those for which another model or prompt gave no good answer. None while
 * feedback waits to be grouped: what is described then is soon another.
 */
export async function readDue(
  tx: Tx,
  workspaceId: string,
  by: { model: string; promptVersion: string; now: Date },
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
      and not exists (select from feedback_item where workspace_id = ${workspaceId} and grouped_seq is null)
    order by insight.mention_count desc, insight.issue_number limit ${limit}`.execute(tx)
  return rows.map((row) => row.issueNumber)
}

/** A shown insight; null when it is shown no more. */
export async function readDescribed(tx: Tx, workspaceId: string, issueNumber: number): Promise<Described | null> {
  const { rows } = await sql<Described>`
    select issue_number as "issueNumber", described_hash as hash, name, mention_count as mentions from insight
    where workspace_id = ${workspaceId} and issue_number = ${issueNumber} and ${shown} and described_hash is not null`.execute(
    tx,
  )
  return rows[0] ?? null
}

/**
 * Writes down what came of asking. Without a good answer a name that the model gave to the same description stays: the
 * group has only grown.
 */
export async function storeOutcome(tx: Tx, workspaceId: string, outcome: Outcome, now: Date): Promise<void> {
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

/** Leaves an insight alone for a while since asking about it failed: 10 minutes, then four times as long, up to a day. */
export async function setAside(
  tx: Tx,
  workspaceId: string,
  { issueNumber, hash, mentions }: Described,
  by: { model: string; promptVersion: string },
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

/**
 * Takes tokens out of the day's budget before a call is made. False, taking nothing, when there are not so many left; of
 * callers at the same moment each waits for the one before.
 */
export async function reserveTokens(
  tx: Tx,
  workspaceId: string,
  day: string,
  tokens: number,
  most: number,
): Promise<boolean> {
  const { rows } = await sql`
    insert into model_budget as b (day, tokens) select ${day}::date, ${tokens}::bigint where ${tokens}::bigint <= ${most}::bigint
    on conflict (day) do update set tokens = b.tokens + excluded.tokens
      where b.tokens + excluded.tokens <= ${most}::bigint
    returning day`.execute(tx)
  if (rows.length === 0) return false
  await sql`
    insert into model_day as d (workspace_id, day, tokens, calls) values (${workspaceId}, ${day}::date, ${tokens}, 1)
    on conflict (workspace_id, day) do update set tokens = d.tokens + excluded.tokens, calls = d.calls + 1`.execute(tx)
  return true
}

/** Puts what a call has really used in the place of what was reserved for it. */
export async function correctTokens(tx: Tx, workspaceId: string, day: string, difference: number): Promise<void> {
  if (difference === 0) return
  await sql`update model_budget set tokens = greatest(0, tokens + ${difference}::bigint) where day = ${day}::date`.execute(
    tx,
  )
  await sql`
    update model_day set tokens = greatest(0, tokens + ${difference}::bigint)
    where workspace_id = ${workspaceId} and day = ${day}::date`.execute(tx)
}

export async function readTrouble(tx: Tx): Promise<Trouble | null> {
  const { rows } = await sql<Trouble>`
    select what, since, paused_until as "pausedUntil" from model_trouble`.execute(tx)
  return rows[0] ?? null
}

/** Notes what is wrong with the model. True when that is news: the same trouble before makes it none. */
export async function noteTrouble(tx: Tx, what: string, pausedUntil: Date | null, now: Date): Promise<boolean> {
  const before = await sql<{ what: string }>`select what from model_trouble for update`.execute(tx)
  await sql`
    insert into model_trouble as t (what, since, paused_until) values (${what}, ${now}::timestamptz, ${pausedUntil}::timestamptz)
    on conflict (one) do update set what = excluded.what, paused_until = greatest(t.paused_until, excluded.paused_until),
      since = case when t.what = excluded.what then t.since else excluded.since end`.execute(tx)
  return before.rows[0]?.what !== what
}

/** Notes that the model answers. True when there was trouble before. */
export async function clearTrouble(tx: Tx): Promise<boolean> {
  const { numAffectedRows } = await sql`delete from model_trouble`.execute(tx)
  return Number(numAffectedRows) > 0
}

/** The tokens that the installation has used in a day, with those reserved for calls that run. */
export async function readUsed(tx: Tx, day: string): Promise<number> {
  const { rows } = await sql<{ tokens: number }>`select tokens from model_budget where day = ${day}::date`.execute(tx)
  return rows[0]?.tokens ?? 0
}

/** What the model has done for one workspace since a time. */
export async function readUse(tx: Tx, workspaceId: string, since: Date): Promise<Use> {
  const { rows } = await sql<Use>`
    select
      (select coalesce(sum(tokens), 0)::bigint from model_day
        where workspace_id = ${workspaceId} and day >= (${since}::timestamptz at time zone 'UTC')::date) as tokens,
      (select count(*) from feedback_item
        where workspace_id = ${workspaceId} and stored_at >= date_trunc('day', ${since}::timestamptz, 'UTC')) as messages,
      (select count(*) from model_description where workspace_id = ${workspaceId} and name is not null) as named,
      (select count(*) from model_description where workspace_id = ${workspaceId} and name is null
        and refused <> 'people') as refused,
      (select count(*) from model_join where workspace_id = ${workspaceId} and verdict <> 'none') as judged,
      (select count(*) from model_join where workspace_id = ${workspaceId} and state = 'held') as joined,
      (select count(*) from model_split where workspace_id = ${workspaceId} and state = 'applied') as split`.execute(tx)
  return rows[0] ?? { tokens: 0, messages: 0, named: 0, refused: 0, judged: 0, joined: 0, split: 0 }
}

/** The ids of all workspaces, for periodic work. */
export async function readWorkspaceIds(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select all_workspace_ids() as id`.execute(tx)
  return rows.map((row) => row.id)
}
