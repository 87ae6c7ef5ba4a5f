import { sql } from 'kysely'
import type { AccountTx } from '../../platform/db/tenant.ts'

/** One count of attempts: at most `max` within `windowMs`. */
export type Counter = { limit: string; key: string; max: number; windowMs: number }

/**
 * Counts one attempt in each, at a time; true for those in which one was left. What was counted while the clock was ahead does not count: it would
 * lock people out until the clock is there again.
 */
export async function takeInEach(tx: AccountTx, counters: readonly Counter[], at: number): Promise<boolean[]> {
  // Always in the same order, so that two attempts do not wait for each other.
  const ordered = [...counters].sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1))
  const taken = await takeIn(tx, ordered, at)
  const refused = ordered.filter((counter) => !taken.has(idOf(counter)))
  if (refused.length > 0 && (await forgetAhead(tx, refused, at))) {
    for (const id of await takeIn(tx, refused, at)) taken.add(id)
  }
  return counters.map((counter) => taken.has(idOf(counter)))
}

/** The ids of those in which one was left. */
async function takeIn(tx: AccountTx, ordered: readonly Counter[], at: number): Promise<Set<string>> {
  const windows = ordered.map(({ windowMs }) => Math.floor(at / windowMs))
  const shares = ordered.map(({ windowMs }) => 1 - (at % windowMs) / windowMs)
  const expiries = ordered.map(({ windowMs }) => new Date(at + 2 * windowMs))
  const { rows } = await sql<{ taken: boolean | null }>`
    select take_attempt(a.limit_name, a.key, a.in_window, a.share, a.allowed, a.until) as taken
    from unnest(${ordered.map(({ limit }) => limit)}::text[], ${ordered.map(({ key }) => key)}::text[],
      ${windows}::bigint[], ${shares}::float8[], ${ordered.map(({ max }) => max)}::float8[],
      ${expiries}::timestamptz[]) as a (limit_name, key, in_window, share, allowed, until)`.execute(tx)
  return new Set(ordered.filter((_counter, index) => rows[index]?.taken === true).map(idOf))
}

/** Deletes counts from after the next window, which no other machine's clock explains. True: there were some. */
async function forgetAhead(tx: AccountTx, counters: readonly Counter[], at: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from attempt_count c using unnest(${counters.map(({ limit }) => limit)}::text[],
      ${counters.map(({ key }) => key)}::text[],
      ${counters.map(({ windowMs }) => Math.floor(at / windowMs) + 1)}::bigint[]) as ahead (limit_name, key, next_window)
    where c.limit_name = ahead.limit_name and c.key = ahead.key and c.window_number > ahead.next_window`.execute(tx)
  return (numAffectedRows ?? 0n) > 0n
}

/** Refunds one attempt in each. */
export async function refundInEach(tx: AccountTx, counters: readonly Counter[]): Promise<void> {
  await sql`
    update attempt_count c set current = c.current - 1 from (${lockedRows(counters)}) locked
    where c.limit_name = locked.limit_name and c.key = locked.key and c.current > 0`.execute(tx)
}

/** Resets the attempts of each. */
export async function resetEach(tx: AccountTx, counters: readonly Counter[]): Promise<void> {
  await sql`
    delete from attempt_count c using (${lockedRows(counters)}) locked
    where c.limit_name = locked.limit_name and c.key = locked.key`.execute(tx)
}

/** Deletes the counts whose attempts no longer count. */
export async function deleteExpiredCounts(tx: AccountTx, before: Date): Promise<void> {
  await sql`delete from attempt_count where expires_at < ${before}`.execute(tx)
}

function lockedRows(counters: readonly Counter[]) {
  return sql`
    select limit_name, key from attempt_count
    where (limit_name, key) in (select * from unnest(${counters.map(({ limit }) => limit)}::text[],
      ${counters.map(({ key }) => key)}::text[]))
    order by limit_name, key for update`
}

function idOf({ limit, key }: Counter): string {
  return `${limit} ${key}`
}
