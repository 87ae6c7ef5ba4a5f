import type { Span } from '@groundswell/engine/index.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../../platform/db/tenant.ts'

/** Texts up to this many characters are never split. */
export const MIN_SPLIT_LENGTH = 600

/** Hash of a message's text, by which a later edit is detected; null for a text that is never split. */
export const textHash = sql`
  case when length(text) > ${MIN_SPLIT_LENGTH}::int then encode(sha256(convert_to(text, 'UTF8')), 'hex') end`

/**
 * How a language model split the text of the item `waiting`, for a query that has its `hash`. A message with rules by people keeps
 * the mentions that the rules are about.
 */
export function piecesOf(workspaceId: string) {
  return sql`(
    select pieces from model_split
    where workspace_id = ${workspaceId} and item_id = waiting.id and text_hash = waiting.hash
      and (state = 'applied' or (state = 'waiting' and not exists (
        select from statement_rule where workspace_id = ${workspaceId} and item_id = waiting.id))))`
}

/** Spans from stored offsets: start and end alternate. */
export function spansOf(pieces: readonly number[]): Span[] {
  return Array.from({ length: Math.floor(pieces.length / 2) }, (_, at) => ({
    start: pieces[2 * at] as number,
    end: pieces[2 * at + 1] as number,
  }))
}

/** Records that these items were grouped with their splits, see `settleUsed`; without pieces, that their split was not used. */
export function settleSplits(
  tx: Tx,
  workspaceId: string,
  items: readonly { id: number; pieces: number[] | null }[],
): Promise<boolean> {
  const used = items.map(({ id, pieces }) => ({ id, isUsed: pieces !== null }))
  return settleUsed(tx, workspaceId, sql`model_split`, used)
}

/**
 * Records what grouping did with the rows of `table` that waited for it, one for each item: applied, or discarded. False when a
 * correction waits that may refer to mentions which were replaced: the step must then be rolled back.
 */
export async function settleUsed(
  tx: Tx,
  workspaceId: string,
  table: RawBuilder<unknown>,
  items: readonly { id: number; isUsed: boolean }[],
): Promise<boolean> {
  if (items.length === 0) return true
  const used = items.filter(({ isUsed }) => isUsed).map(({ id }) => id)
  const { rows } = await sql<{ applied: boolean }>`
    update ${table} set state = case when item_id = any(${used}::bigint[]) then 'applied' end
    where workspace_id = ${workspaceId} and item_id = any(${items.map(({ id }) => id)}::bigint[]) and state = 'waiting'
    returning state is not null as applied`.execute(tx)
  if (!rows.some((row) => row.applied)) return true
  const open = await sql`
    select from correction where workspace_id = ${workspaceId} and (state = 'waiting' or undoing) limit 1`.execute(tx)
  return open.rows.length === 0
}
