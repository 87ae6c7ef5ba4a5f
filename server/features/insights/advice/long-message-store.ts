import type { Span } from '@groundswell/engine/index.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { feedbackItemsView, ungroupItem } from '../../feedback/index.ts'
import { MIN_SPLIT_LENGTH, textHash } from '../grouping/stores/split-store.ts'
import { MAX_TEXT_CHARACTERS } from '../grouping/stores/work-store.ts'
import { type AskedWith, holdGroups } from './answer-store.ts'

/** A long message that the model has not been asked about. */
export type LongMessage = { itemId: number; text: string; hash: string }

/**
 * Long messages that were grouped after the version `after` of the groups, the oldest first: those whose text the model has not been
 * asked about, and with no mention that a person corrected. `version`: of the groups now.
 */
export async function readLong(
  tx: Tx,
  workspaceId: string,
  after: number,
  limit: number,
): Promise<{ version: number; messages: LongMessage[] }> {
  const groups = await sql<{ version: number }>`
    select head as version from engine_state where workspace_id = ${workspaceId}`.execute(tx)
  const { version = 0 } = groups.rows[0] ?? {}
  const { rows } = await sql<LongMessage>`
    select id as "itemId", left(text, ${MAX_TEXT_CHARACTERS}::int) as text, hash
    from (
      select id, text, grouped_seq, ${textHash} as hash from ${feedbackItemsView} stored
      where workspace_id = ${workspaceId} and grouped_seq > ${after}::bigint and grouped_seq <= ${version}::bigint
        and length(text) > ${MIN_SPLIT_LENGTH}::int
    ) item
    where not exists (
        select from model_split where workspace_id = ${workspaceId} and item_id = item.id and text_hash = item.hash)
      and not exists (select from model_reading where workspace_id = ${workspaceId} and item_id = item.id and state is not null)
      and not exists (select from statement_rule where workspace_id = ${workspaceId} and item_id = item.id)
    order by grouped_seq limit ${limit}`.execute(tx)
  return { version, messages: rows }
}

/**
 * Stores how a message is divided, and has it read again unless a person has corrected one of its mentions meanwhile. Null:
 * it stays as it is. True when the message is read again.
 */
export async function storeSplit(
  tx: Tx,
  workspaceId: string,
  { itemId, hash }: LongMessage,
  pieces: readonly Span[] | null,
  by: AskedWith & { now: Date },
): Promise<boolean> {
  await holdGroups(tx, workspaceId)
  const item = await sql<{ isCorrected: boolean }>`
    select exists (select from statement_rule where workspace_id = ${workspaceId} and item_id = item.id) as "isCorrected"
    from ${feedbackItemsView} item where workspace_id = ${workspaceId} and id = ${itemId} and ${textHash} = ${hash}
    for update`.execute(tx)
  const [found] = item.rows
  if (!found) return false
  const offsets = pieces?.flatMap(({ start, end }) => [start, end]) ?? null
  const isReadAgain = offsets !== null && !found.isCorrected
  await sql`
    insert into model_split (workspace_id, item_id, text_hash, pieces, state, model, prompt_version, decided_at)
    values (${workspaceId}, ${itemId}, ${hash}, ${offsets}::int[], ${isReadAgain ? 'waiting' : null}, ${by.model},
      ${by.promptVersion}, ${by.now}::timestamptz)
    on conflict do nothing`.execute(tx)
  if (isReadAgain) await ungroupItem(tx, workspaceId, itemId)
  return isReadAgain
}
