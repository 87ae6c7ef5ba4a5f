import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { feedbackItemsView, ungroupItem } from '../../feedback/index.ts'

/** What a mention is read as, and what the language model read in it. `text`: the mention's words. */
export type PointOfMention = { itemId: number; number: number; point: string; read: string; text: string }

/** Null when there is no such mention, or it is not grouped by a point. */
export async function readPoint(tx: Tx, workspaceId: string, mention: string): Promise<PointOfMention | null> {
  const [itemId, number] = mention.split(':').map(Number) as [item: number, number: number]
  type Row = Omit<PointOfMention, 'text'> & { start: number; end: number; message: string }
  const { rows } = await sql<Row>`
    select s.item_id as "itemId", s.number, s.point, coalesce(one.point ->> 'read', s.point) as read, s.start_offset as start,
      s.end_offset as "end", left(item.text, s.end_offset) as message
    from statement s
    join ${feedbackItemsView} item on item.workspace_id = ${workspaceId} and item.id = s.item_id
    join model_reading reading on reading.workspace_id = ${workspaceId} and reading.item_id = s.item_id and reading.state = 'applied'
    cross join lateral (select reading.points -> s.number::int as point) one
    where s.workspace_id = ${workspaceId} and s.item_id = ${itemId}::bigint and s.number = ${number}::smallint
      and one.point ->> 'point' = s.point`.execute(tx)
  const [row] = rows
  if (!row) return null
  const { start, end, message, ...rest } = row
  return { ...rest, text: message.slice(start, end) }
}

/**
 * Has a mention read as `point`, shows that at once, and has its message grouped again. To be called under the lock on the version of the
 * groups.
 */
export async function writePoint(
  tx: Tx,
  workspaceId: string,
  { itemId, number, read, text }: PointOfMention,
  point: string,
): Promise<void> {
  const corrected = point === read ? {} : { read, hash: hashOfWords(text) }
  await sql`
    update model_reading set points = fixed.points, again = false, corrected = jsonb_path_exists(fixed.points, '$[*].read')
    from (
      select jsonb_set(points, array[${String(number)}::text],
        ((points -> ${number}::int) - 'read' - 'hash') || ${JSON.stringify({ ...corrected, point })}::jsonb) as points
      from model_reading where workspace_id = ${workspaceId} and item_id = ${itemId}::bigint
    ) fixed
    where workspace_id = ${workspaceId} and item_id = ${itemId}::bigint`.execute(tx)
  await sql`
    update statement set point = ${point}
    where workspace_id = ${workspaceId} and item_id = ${itemId}::bigint and number = ${number}::smallint`.execute(tx)
  await ungroupItem(tx, workspaceId, itemId)
}

/** What people said that mentions with these words are to be read as, by the words. */
export async function readTaughtPoints(
  tx: Tx,
  workspaceId: string,
  texts: readonly string[],
): Promise<Map<string, string>> {
  const byHash = new Map(texts.map((text) => [hashOfWords(text), text]))
  const { rows } = await sql<{ hash: string; point: string }>`
    select one ->> 'hash' as hash, one ->> 'point' as point from model_reading, jsonb_array_elements(points) one
    where workspace_id = ${workspaceId} and corrected and one ->> 'hash' = any(${[...byHash.keys()]}::text[])
    order by item_id`.execute(tx)
  return new Map(rows.map(({ hash, point }) => [byHash.get(hash) as string, point]))
}

function hashOfWords(text: string): string {
  return createHash('sha256').update(text.trim()).digest('hex')
}
