import type { Span } from '@groundswell/engine/index.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'

/** Of a text shorter than this nothing is ever taken apart. */
export const LEAST_SPLIT = 600

/** The hash by which it is known whether a message still says what it said; null for one that is never taken apart. */
export const textHash = sql`
  case when length(text) > ${LEAST_SPLIT}::int then encode(sha256(convert_to(text, 'UTF8')), 'hex') end`

/**
 * How a language model took apart the text of the item `waiting`, for a query that has its `hash`. A message of whose mentions
 * people spoke keeps the mentions that they spoke of.
 */
export function piecesOf(workspaceId: string) {
  return sql`(
    select pieces from model_split
    where workspace_id = ${workspaceId} and item_id = waiting.id and text_hash = waiting.hash
      and (state = 'applied' or (state = 'waiting' and not exists (
        select from statement_rule where workspace_id = ${workspaceId} and item_id = waiting.id))))`
}

/** Stored offsets as spans. */
export function spansOf(pieces: readonly number[]): Span[] {
  return Array.from({ length: Math.floor(pieces.length / 2) }, (_, at) => ({
    start: pieces[2 * at] as number,
    end: pieces[2 * at + 1] as number,
  }))
}

/**
 * Notes that these items are read as they were taken apart, and gives up what did not come to pass. False when a person's
 * correction waits that may speak of their old mentions: then nothing of the step may be kept.
 */
export async function settleSplits(
  tx: Tx,
  workspaceId: string,
  items: readonly { id: number; pieces: number[] | null }[],
): Promise<boolean> {
  const ids = items.map((item) => item.id)
  if (ids.length === 0) return true
  const { rows } = await sql<{ applied: boolean }>`
    update model_split set state = case when item_id = any(${ids.filter((_, at) => items[at]?.pieces)}::bigint[]) then 'applied' end
    where workspace_id = ${workspaceId} and item_id = any(${ids}::bigint[]) and state = 'waiting'
    returning state is not null as applied`.execute(tx)
  if (!rows.some((row) => row.applied)) return true
  const open = await sql`
    select from correction where workspace_id = ${workspaceId} and (state = 'waiting' or undoing) limit 1`.execute(tx)
  return open.rows.length === 0
}
