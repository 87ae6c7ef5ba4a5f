import type { ReadPoint } from '@groundswell/engine/index.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { isCorrecting } from './split-store.ts'

/** A point as it is stored: where the message says it, in UTF-16 units, its kind, and what was read, in English. */
export type StoredPoint = ReadPoint

/**
 * What a language model read in the item `waiting`, for a query. A message with rules by people keeps the mentions that the rules are
 * about.
 */
export function pointsOf(workspaceId: string) {
  return sql`(
    select points from model_reading
    where workspace_id = ${workspaceId} and item_id = waiting.id
      and (state = 'applied' or (state = 'waiting' and not exists (
        select from statement_rule where workspace_id = ${workspaceId} and item_id = waiting.id))))`
}

/**
 * Records that these items were grouped by their readings, and that readings were not used where `points` is null. False when a
 * correction waits that may refer to their old mentions: the step must then be rolled back.
 */
export async function settleReadings(
  tx: Tx,
  workspaceId: string,
  items: readonly { id: number; points: readonly StoredPoint[] | null }[],
): Promise<boolean> {
  const ids = items.map((item) => item.id)
  if (ids.length === 0) return true
  const { rows } = await sql<{ applied: boolean }>`
    update model_reading set state = case when item_id = any(${ids.filter((_, at) => items[at]?.points)}::bigint[]) then 'applied' end
    where workspace_id = ${workspaceId} and item_id = any(${ids}::bigint[]) and state = 'waiting'
    returning state is not null as applied`.execute(tx)
  return !rows.some((row) => row.applied) || !(await isCorrecting(tx, workspaceId))
}
