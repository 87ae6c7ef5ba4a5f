import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'

/** A pass of the built-in encoder over many messages. `endedAt`: null while it is under way. */
export type Reading = { done: number; total: number; movedAt: Date; endedAt: Date | null }

/** The newest pass over many messages; null if there was none. */
export async function readReading(tx: Tx, workspaceId: string): Promise<Reading | null> {
  const { rows } = await sql<Reading>`
    select done, total, moved_at as "movedAt", ended_at as "endedAt" from encoder_reading
    where workspace_id = ${workspaceId}`.execute(tx)
  return rows[0] ?? null
}

/** Notes that a pass begins or continues with this many statements left. */
export async function startReading(tx: Tx, workspaceId: string, left: number, now: Date): Promise<void> {
  await sql`
    insert into encoder_reading as former (workspace_id, done, total, moved_at) values (${workspaceId}, 0, ${left}, ${now})
    on conflict (workspace_id) do update
    set done = case when former.ended_at is null then former.done else 0 end,
      total = case when former.ended_at is null then former.done else 0 end + excluded.total,
      moved_at = excluded.moved_at, ended_at = null`.execute(tx)
}

/** Adds statements that were read. `left`: how many there are still, if they were counted. */
export async function addRead(
  tx: Tx,
  workspaceId: string,
  { count, left, now }: { count: number; left: number | null; now: Date },
): Promise<void> {
  await sql`
    update encoder_reading
    set done = done + ${count}, total = coalesce(done + ${count} + ${left}::int, greatest(total, done + ${count})), moved_at = ${now}
    where workspace_id = ${workspaceId} and ended_at is null`.execute(tx)
}

/** Ends the pass: every statement has been read. */
export async function endReading(tx: Tx, workspaceId: string, now: Date): Promise<void> {
  await sql`
    update encoder_reading set total = done, ended_at = ${now} where workspace_id = ${workspaceId} and ended_at is null`.execute(
    tx,
  )
}
