import type { Kind } from '@groundswell/engine/index.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../../platform/db/tenant.ts'
import { feedbackItemsView } from '../../../feedback/index.ts'
import { numberArray } from '../../array-literal.ts'

/** A message whose vectors were stored after it was grouped. `times`: how often since a step last read them. */
export type LateItem = { itemId: number; times: number }

/** A statement of such a message. */
export type LateStatement = {
  itemId: string
  number: number
  text: string
  point: string | null
  saidAt: Date
  isNoise: boolean
  kindSet: Kind | null
  readKind: Kind | null
}

/** Notes that vectors of these messages were stored, for the next step of grouping. Rows are locked in order, so that two never deadlock. */
export async function addLateItems(tx: Tx, workspaceId: string, itemIds: readonly number[]): Promise<void> {
  await sql`
    insert into late_vector (workspace_id, item_id)
    select ${workspaceId}::uuid, item.id
    from (select distinct unnest(${numberArray(itemIds)}::bigint[]) as id) wanted
    join ${feedbackItemsView} item on item.workspace_id = ${workspaceId} and item.id = wanted.id
    order by 2
    on conflict (workspace_id, item_id) do update set times = late_vector.times + 1`.execute(tx)
}

/** The first messages whose vectors wait for a step. */
export async function readLateItems(tx: Tx, workspaceId: string, limit: number): Promise<LateItem[]> {
  const { rows } = await sql<LateItem>`
    select item_id as "itemId", times from late_vector where workspace_id = ${workspaceId}
    order by item_id limit ${limit}`.execute(tx)
  return rows
}

/** The statements of these messages. `isNoise`: it is not in the group index; `kindSet`: a person's. */
export async function readLateStatements(
  tx: Tx,
  workspaceId: string,
  itemIds: readonly number[],
): Promise<LateStatement[]> {
  type Row = Omit<LateStatement, 'text'> & { start: number; end: number; message: string }
  const { rows } = await sql<Row>`
    select s.item_id::text as "itemId", s.number, s.said_at as "saidAt", s.start_offset as start, s.end_offset as "end",
      left(item.text, s.end_offset) as message, s.kind = 'noise' as "isNoise",
      case when s.kind_by = 'person' then s.feedback_kind end as "kindSet", s.point, s.read_kind as "readKind"
    from statement s join ${feedbackItemsView} item on item.workspace_id = ${workspaceId} and item.id = s.item_id
    where s.workspace_id = ${workspaceId} and s.item_id = any(${numberArray(itemIds)}::bigint[])
    order by s.item_id, s.number`.execute(tx)
  return rows.map(({ start, end, message, ...row }) => ({ ...row, text: message.slice(start, end) }))
}

/** Records that a step has read these vectors. What was stored since then still waits. */
export async function clearLateItems(tx: Tx, workspaceId: string, items: readonly LateItem[]): Promise<void> {
  if (items.length === 0) return
  await sql`
    delete from late_vector where (workspace_id, item_id) in (
      select workspace_id, item_id from late_vector
      join unnest(${numberArray(items.map((one) => one.itemId))}::bigint[],
        ${numberArray(items.map((one) => one.times))}::int[]) as read (item, up_to) on read.item = item_id and read.up_to = times
      where workspace_id = ${workspaceId} order by item_id for update of late_vector)`.execute(tx)
}
