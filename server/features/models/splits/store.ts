import type { Span } from '@groundswell/engine/index.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { MIN_SPLIT_LENGTH, textHash } from '../../insights/index.ts'

/** A long message that the model was not asked about. */
export type LongMessage = { itemId: number; text: string; hash: string }

/** What the engine reads of a text is no longer. */
const READ_CHARACTERS = 65_536

/**
 * Long messages that were read since the last look, the oldest first: those whose text was not asked about, and of whose
 * mentions nobody spoke. `head`: how the groups stand now.
 */
export async function readLong(
  tx: Tx,
  workspaceId: string,
  limit: number,
): Promise<{ head: number; messages: LongMessage[] }> {
  const groups = await sql<{ head: number; looked: number }>`
    select groups.head, coalesce(look.head, 0)::bigint as looked from engine_state groups
    left join model_look look on look.workspace_id = groups.workspace_id and look.task = 'splits'
    where groups.workspace_id = ${workspaceId}`.execute(tx)
  const { head = 0, looked = 0 } = groups.rows[0] ?? {}
  const { rows } = await sql<LongMessage>`
    select id as "itemId", left(text, ${READ_CHARACTERS}::int) as text, hash
    from (
      select id, text, grouped_seq, ${textHash} as hash from feedback_item
      where workspace_id = ${workspaceId} and grouped_seq > ${looked}::bigint and grouped_seq <= ${head}::bigint
        and length(text) > ${MIN_SPLIT_LENGTH}::int
    ) item
    where not exists (
        select from model_split where workspace_id = ${workspaceId} and item_id = item.id and text_hash = item.hash)
      and not exists (select from statement_rule where workspace_id = ${workspaceId} and item_id = item.id)
    order by grouped_seq limit ${limit}`.execute(tx)
  return { head, messages: rows }
}

/**
 * Writes down how a message is to be taken apart, and has it read anew unless people spoke of its mentions meanwhile. Null: it
 * stays as it is. False when nothing is to be read anew.
 */
export async function storeSplit(
  tx: Tx,
  workspaceId: string,
  { itemId, hash }: LongMessage,
  pieces: readonly Span[] | null,
  by: { model: string; promptVersion: string; now: Date },
): Promise<boolean> {
  const item = await sql<{ spokenOf: boolean }>`
    select exists (select from statement_rule where workspace_id = ${workspaceId} and item_id = item.id) as "spokenOf"
    from feedback_item item where workspace_id = ${workspaceId} and id = ${itemId} and ${textHash} = ${hash}
    for update`.execute(tx)
  const [found] = item.rows
  if (!found) return false
  const offsets = pieces?.flatMap(({ start, end }) => [start, end]) ?? null
  const anew = offsets !== null && !found.spokenOf
  await sql`
    insert into model_split (workspace_id, item_id, text_hash, pieces, state, model, prompt_version, decided_at)
    values (${workspaceId}, ${itemId}, ${hash}, ${offsets}::int[], ${anew ? 'waiting' : null}, ${by.model},
      ${by.promptVersion}, ${by.now}::timestamptz)
    on conflict do nothing`.execute(tx)
  if (anew) {
    await sql`
      update feedback_item set grouped_seq = null where workspace_id = ${workspaceId} and id = ${itemId}`.execute(tx)
  }
  return anew
}
