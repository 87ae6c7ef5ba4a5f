import type { FeedbackKind } from '@groundswell/contract/feedback/feedback-kind.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { feedbackItemsView } from '../../feedback/index.ts'

/** A mention whose kind is to be set. `engineKind`: what it was before the first person's. */
export type KindOfMention = {
  text: string
  kind: FeedbackKind | null
  setBy: 'engine' | 'person'
  engineKind: FeedbackKind | null
}

/** The kind of a mention; null when there is no such mention. */
export async function readKindOf(
  tx: Tx,
  workspaceId: string,
  itemId: number,
  number: number,
): Promise<KindOfMention | null> {
  type Row = Omit<KindOfMention, 'text'> & { start: number; end: number; message: string }
  const { rows } = await sql<Row>`
    select s.start_offset as start, s.end_offset as "end", left(item.text, s.end_offset) as message, s.feedback_kind as kind,
      case when s.kind_by = 'person' then 'person' else 'engine' end as "setBy",
      case when s.kind_by = 'person' then (
        select c.engine_kind from kind_correction c
        where c.workspace_id = ${workspaceId} and c.item_id = s.item_id and c.number = s.number limit 1
      ) else s.feedback_kind end as "engineKind"
    from statement s join ${feedbackItemsView} item on item.workspace_id = ${workspaceId} and item.id = s.item_id
    where s.workspace_id = ${workspaceId} and s.item_id = ${itemId}::bigint and s.number = ${number}::smallint`.execute(
    tx,
  )
  const [row] = rows
  if (!row) return null
  const { start, end, message, ...rest } = row
  return { ...rest, text: message.slice(start, end) }
}

/**
 * Stores a person's kind, or with `kind: null` that it was taken back, for the next step of grouping to read; the mention shows it at once. To be
 * called under the lock on the version of the groups.
 */
export async function storeKindCorrection(
  tx: Tx,
  workspaceId: string,
  mention: {
    itemId: number
    number: number
    text: string
    hash: string
    kind: FeedbackKind | null
    engineKind: FeedbackKind | null
  },
  { person, at }: { person: string; at: Date },
): Promise<void> {
  const { itemId, number, text, hash, kind, engineKind } = mention
  await sql`
    insert into kind_correction (workspace_id, item_id, text_hash, number, text, kind, engine_kind, person, corrected_at)
    values (${workspaceId}, ${itemId}, ${hash}, ${number}, ${text}, ${kind}, ${engineKind}, ${person}, ${at})
    on conflict (workspace_id, item_id, text_hash) do update set number = excluded.number, kind = excluded.kind,
      person = excluded.person, corrected_at = excluded.corrected_at, waiting = true`.execute(tx)
  await sql`
    update statement set feedback_kind = ${kind ?? engineKind}, kind_by = ${kind === null ? 'model' : 'person'}
    where workspace_id = ${workspaceId} and item_id = ${itemId}::bigint and number = ${number}::smallint`.execute(tx)
  await sql`update engine_state set taught = taught + 1 where workspace_id = ${workspaceId}`.execute(tx)
}
