import type { ReadPoint } from '@groundswell/engine/index.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../../platform/db/tenant.ts'
import { settleUsed } from './split-store.ts'

/**
 * A point as it is stored: where the message says it, in UTF-16 units, its kind, and what was read, in English. Where a person has corrected that, `read` is
 * what the model had read, and `hash` that of the words.
 */
export type StoredPoint = ReadPoint & { read?: string; hash?: string }

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

/** Records that these items were grouped by their points, see `settleUsed`; without points, that their reading was not used. */
export function settleReadings(
  tx: Tx,
  workspaceId: string,
  items: readonly { id: number; points: readonly StoredPoint[] | null }[],
): Promise<boolean> {
  const used = items.map(({ id, points }) => ({ id, isUsed: points !== null }))
  return settleUsed(tx, workspaceId, sql`model_reading`, used)
}
