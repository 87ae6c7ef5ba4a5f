import { sql } from 'kysely'
import type { Tx } from '../db/tenant.ts'
import { adjustShare, takeShare } from '../shares/budget-store.ts'

/**
 * The tables of one provider, owned by the feature that defines it.
 * - `outage` (one, what, since, paused_until): at most one row, for the whole installation.
 * - `budget` (day, tokens): one row per UTC day, for the whole installation. It is the row that concurrent calls lock.
 *   With `recordsExhaustion` also spent_at: the largest limit that a call did not fit into.
 * - `usage` (workspace_id, day, tokens, calls): one row per workspace and UTC day, where usage is counted per workspace.
 */
export type ProviderTables = {
  outage: string
  budget: string
  recordsExhaustion?: boolean
  usage?: string
}

/** What is wrong with a provider. No call is made before `pausedUntil`. */
export type Outage = { what: string; since: Date; pausedUntil: Date | null }

/** What is wrong with a provider at the moment; null: nothing is. */
export async function readOutage(tx: Tx, { outage }: ProviderTables): Promise<Outage | null> {
  const { rows } = await sql<Outage>`
    select what, since, paused_until as "pausedUntil" from ${sql.table(outage)}`.execute(tx)
  return rows[0] ?? null
}

/** Records a problem. True when it is new: the same problem keeps its `since`, and a pause is never shortened. */
export async function writeOutage(
  tx: Tx,
  { outage }: ProviderTables,
  what: string,
  pausedUntil: Date | null,
  now: Date,
): Promise<boolean> {
  const before = await sql<{ what: string }>`select what from ${sql.table(outage)} for update`.execute(tx)
  await sql`
    insert into ${sql.table(outage)} as o (what, since, paused_until)
    values (${what}, ${now}::timestamptz, ${pausedUntil}::timestamptz)
    on conflict (one) do update set what = excluded.what, paused_until = greatest(o.paused_until, excluded.paused_until),
      since = case when o.what = excluded.what then o.since else excluded.since end`.execute(tx)
  return before.rows[0]?.what !== what
}

/** True when there was an outage. */
export async function deleteOutage(tx: Tx, { outage }: ProviderTables): Promise<boolean> {
  const { numAffectedRows } = await sql`delete from ${sql.table(outage)}`.execute(tx)
  return Number(numAffectedRows) > 0
}

/** Who spends tokens of a day's budget, and when. Without a workspace nobody in particular does, and there is no share. */
export type Spending = { day: string; at: Date; workspaceId: string | null; accountId?: string | undefined }

/**
 * Takes tokens out of a day's budget and counts the call for its workspace. Takes nothing when they would exceed `limit` (`exhausted`) or
 * the share of the person or workspace (`share`, see `takeShare`). Concurrent callers wait for each other.
 */
export async function reserveTokens(
  tx: Tx,
  { budget, usage }: ProviderTables,
  { tokens, limit, ...spending }: Spending & { tokens: number; limit: number },
): Promise<'taken' | 'exhausted' | 'share'> {
  const { day, workspaceId } = spending
  await sql`insert into ${sql.table(budget)} (day) values (${day}::date) on conflict (day) do nothing`.execute(tx)
  const { rows } = await sql<{ used: number }>`
    select tokens as used from ${sql.table(budget)} where day = ${day}::date for update`.execute(tx)
  const all = rows[0]?.used ?? 0
  const taking = takingOf(budget, spending)
  const outcome = taking
    ? await takeShare(tx, { ...taking, limit, amount: tokens, all })
    : all + tokens > limit
      ? 'exhausted'
      : 'taken'
  if (outcome !== 'taken') return outcome
  await sql`update ${sql.table(budget)} set tokens = tokens + ${tokens}::bigint where day = ${day}::date`.execute(tx)
  if (usage !== undefined && workspaceId !== null) {
    await sql`
      insert into ${sql.table(usage)} as u (workspace_id, day, tokens, calls)
      values (${workspaceId}, ${day}::date, ${tokens}, 1)
      on conflict (workspace_id, day) do update set tokens = u.tokens + excluded.tokens, calls = u.calls + 1`.execute(
      tx,
    )
  }
  return 'taken'
}

/** Replaces what was reserved for a call by what it used: adds the difference, which may be negative. */
export async function adjustTokens(
  tx: Tx,
  { budget, usage }: ProviderTables,
  { difference, ...spending }: Spending & { difference: number },
): Promise<void> {
  const { day, workspaceId } = spending
  const taking = takingOf(budget, spending)
  await sql`
    update ${sql.table(budget)} set tokens = greatest(0, tokens + ${difference}::bigint) where day = ${day}::date`.execute(
    tx,
  )
  if (taking) await adjustShare(tx, { ...taking, amount: difference })
  if (usage === undefined || workspaceId === null) return
  await sql`
    update ${sql.table(usage)} set tokens = greatest(0, tokens + ${difference}::bigint)
    where workspace_id = ${workspaceId} and day = ${day}::date`.execute(tx)
}

function takingOf(budget: string, { day, at, workspaceId, accountId }: Spending) {
  return workspaceId === null ? null : { budget, day, at, holder: { workspaceId, accountId } }
}

/** Records that a call did not fit into the day's limit. True when that is new. */
export async function writeExhaustion(
  tx: Tx,
  { budget, recordsExhaustion }: ProviderTables,
  { day, limit }: { day: string; limit: number },
): Promise<boolean> {
  if (!recordsExhaustion) return false
  const { numAffectedRows } = await sql`
    update ${sql.table(budget)} set spent_at = ${limit}::bigint
    where day = ${day}::date and coalesce(spent_at < ${limit}::bigint, true)`.execute(tx)
  return Number(numAffectedRows) === 1
}

/** The tokens used on a day, including those reserved for calls in progress, and whether a call did not fit into `limit`. */
export async function readDay(
  tx: Tx,
  { budget, recordsExhaustion }: ProviderTables,
  { day, limit }: { day: string; limit: number },
): Promise<{ used: number; exhausted: boolean }> {
  const exhausted = recordsExhaustion ? sql`coalesce(spent_at >= ${limit}::bigint, false)` : sql`false`
  const { rows } = await sql<{ used: number; exhausted: boolean }>`
    select tokens as used, ${exhausted} as exhausted from ${sql.table(budget)} where day = ${day}::date`.execute(tx)
  return rows[0] ?? { used: 0, exhausted: false }
}
