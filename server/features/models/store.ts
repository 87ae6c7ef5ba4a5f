import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'
import { countItemsSince } from '../feedback/index.ts'
import { type AdviceCounts, countAdvice } from '../insights/index.ts'

export type Trouble = { what: string; since: Date; pausedUntil: Date | null }

/** What the model has done for one workspace. */
export type Use = Record<'tokens' | 'messages', number> & AdviceCounts

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
  const { rows } = await sql<{ tokens: number }>`
    select coalesce(sum(tokens), 0)::bigint as tokens from model_day
    where workspace_id = ${workspaceId} and day >= (${since}::timestamptz at time zone 'UTC')::date`.execute(tx)
  const messages = await countItemsSince(tx, workspaceId, since)
  return { tokens: rows[0]?.tokens ?? 0, messages, ...(await countAdvice(tx, workspaceId)) }
}

/** The ids of all workspaces, for periodic work. */
export async function readWorkspaceIds(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select all_workspace_ids() as id`.execute(tx)
  return rows.map((row) => row.id)
}
