import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'

const TOO_MANY_REQUESTS = 429

/** One attempt to push. `status`, `answer`: of the response; null where there was none. */
export type AttemptRow = {
  number: number
  at: Date
  durationMs: number
  status: number | null
  error: string | null
  answer: string | null
}

/** The attempts of a delivery, oldest first. */
export async function readAttempts(tx: Tx, workspaceId: string, deliveryId: string): Promise<AttemptRow[]> {
  const { rows } = await sql<AttemptRow>`
    select number, at, duration_ms as "durationMs", status, error, answer from attempt
    where workspace_id = ${workspaceId} and delivery_id = ${deliveryId} order by number`.execute(tx)
  return rows
}

/** Writes one attempt into the ledger. A known outcome replaces an unknown one. */
export async function storeAttempt(
  tx: Tx,
  workspaceId: string,
  deliveryId: string,
  attempt: AttemptRow,
  options: { unlessKnown?: boolean } = {},
): Promise<void> {
  const { number, at, durationMs, status, error, answer } = attempt
  await sql`
    insert into attempt (workspace_id, delivery_id, number, at, duration_ms, status, error, answer)
    values (${workspaceId}, ${deliveryId}, ${number}, ${at}, ${Math.round(durationMs)}, ${status}, ${error}, ${answer})
    on conflict (workspace_id, delivery_id, number) ${
      options.unlessKnown
        ? sql`do nothing`
        : sql`do update set at = excluded.at, duration_ms = excluded.duration_ms, status = excluded.status,
            error = excluded.error, answer = excluded.answer`
    }`.execute(tx)
}

/** How many attempts of a delivery the destination answered with 429: too many requests. */
export async function countRateLimited(tx: Tx, workspaceId: string, deliveryId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from attempt
    where workspace_id = ${workspaceId} and delivery_id = ${deliveryId} and status = ${TOO_MANY_REQUESTS}`.execute(tx)
  return rows[0]?.count ?? 0
}
