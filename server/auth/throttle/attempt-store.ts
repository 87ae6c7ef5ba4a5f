import { sql } from 'kysely'
import type { AccountTx } from '../../platform/db/tenant.ts'

/** One count of attempts: at most `max` within `windowMs`. */
export type Counter = { limit: string; key: string; max: number; windowMs: number }

/** Counts one attempt in each, at a time; true for those in which one was left. */
export async function takeInEach(tx: AccountTx, counters: readonly Counter[], at: number): Promise<boolean[]> {
  // Always in the same order, so that two attempts do not wait for each other.
  const ordered = [...counters].sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1))
  const windows = ordered.map(({ windowMs }) => Math.floor(at / windowMs))
  const shares = ordered.map(({ windowMs }) => 1 - (at % windowMs) / windowMs)
  const expiries = ordered.map(({ windowMs }) => new Date(at + 2 * windowMs))
  const { rows } = await sql<{ taken: boolean | null }>`
    select take_attempt(a.limit_name, a.key, a.in_window, a.share, a.allowed, a.until) as taken
    from unnest(${ordered.map(({ limit }) => limit)}::text[], ${ordered.map(({ key }) => key)}::text[],
      ${windows}::bigint[], ${shares}::float8[], ${ordered.map(({ max }) => max)}::float8[],
      ${expiries}::timestamptz[]) as a (limit_name, key, in_window, share, allowed, until)`.execute(tx)
  const taken = new Map(ordered.map((counter, index) => [idOf(counter), rows[index]?.taken === true]))
  return counters.map((counter) => taken.get(idOf(counter)) ?? false)
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
