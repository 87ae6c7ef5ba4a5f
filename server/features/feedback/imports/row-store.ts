import type { FeedbackItem } from '@groundswell/connectors/connector.ts'
import { safeLink } from '@groundswell/contract/values/web-address.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { clean, cleanJson, cleanName } from '../clean.ts'

/** A row of a file: the line where it begins, and its content. */
export type FileRow = { line: number; item: FeedbackItem }

/** Where the rows of an import are stored. Imports of the same source with the same `fileHash` are of the same file. */
export type ImportTarget = { importId: string; connectionId: string; fileHash: string | null }

/** A stored item as rows are compared with it. */
export type StoredItem = {
  id: number
  externalId: string
  text: string
  original: string | null
  author: string | null
  link: string | null
  thread: string | null
  place: string | null
  /** Null: not known; the stored value stays. */
  attributes: Record<string, string> | null
  saidAt: Date
  dateKnown: boolean
  dateOnly: boolean
}

/**
 * The items that a row might be. `sameLine`: what this line was when the same file was imported before. `holdsId`: the item
 * with the row's id. `holder`: that or, if there is none, the item with its former id; `holderOfFile`: whether an import of the same
 * file added it; `holderLine`: which line of this import it is already, if any; the same for `sameLineLine`.
 */
export type RowCandidates = {
  line: number
  sameLine: number | null
  sameLineLine: number | null
  holdsId: number | null
  holder: number | null
  holderOfFile: boolean
  holderLine: number | null
}

/**
 * The candidates of each row, in the order given. Plain look-ups one after the other, each by an index: as one statement, it is
 * up to the planner whether a row is compared with all others.
 */
export async function readCandidates(
  tx: Tx,
  workspaceId: string,
  { importId, connectionId, fileHash }: ImportTarget,
  rows: readonly FileRow[],
): Promise<RowCandidates[]> {
  const held = await sql<{ id: number; externalId: string }>`
    select id, external_id as "externalId" from feedback_item
    where workspace_id = ${workspaceId} and connection_id = ${connectionId}
      and external_id = any(${rows.flatMap(({ item }) => idsOf(item))}::text[])`.execute(tx)
  const twins = await sql<{ id: string }>`
    select id from import
    where workspace_id = ${workspaceId} and connection_id = ${connectionId} and file_hash = ${fileHash}::text
      and id <> ${importId}
    order by started_at`.execute(tx)
  const lines = rows.map((row) => row.line)
  const itemOfLine = new Map<number, number>()
  for (const twin of twins.rows) {
    const before = await sql<{ line: number; itemId: number }>`
      select line, item_id as "itemId" from import_row
      where workspace_id = ${workspaceId} and import_id = ${twin.id} and line >= ${Math.min(...lines)}::int
        and line <= ${Math.max(...lines)}::int`.execute(tx)
    for (const { line, itemId } of before.rows) itemOfLine.set(line, itemId)
  }
  const holders = new Map(held.rows.map(({ externalId, id }) => [externalId, id]))
  const items = [...new Set([...holders.values(), ...itemOfLine.values()])]
  const known = await sql<{ itemId: number; importId: string; line: number }>`
    select item_id as "itemId", import_id as "importId", min(line) as line from import_row
    where workspace_id = ${workspaceId} and item_id = any(${items}::bigint[])
      and import_id = any(${[importId, ...twins.rows.map((twin) => twin.id)]}::uuid[])
    group by item_id, import_id`.execute(tx)
  const ownLines = new Map(known.rows.filter((row) => row.importId === importId).map((row) => [row.itemId, row.line]))
  const ofFile = new Set(known.rows.filter((row) => row.importId !== importId).map((row) => row.itemId))
  return rows.map(({ line, item }) => {
    const former = holders.get(item.formerId ?? '') ?? null
    // Another row of this import that holds the former id has no title: it is a message of its own.
    const isOther = former !== null && (ownLines.get(former) ?? line) !== line
    const holdsId = holders.get(item.externalId) ?? null
    const holder = holdsId ?? (isOther ? null : former)
    const sameLine = itemOfLine.get(line) ?? null
    return {
      line,
      sameLine,
      sameLineLine: sameLine === null ? null : (ownLines.get(sameLine) ?? null),
      holdsId,
      holder,
      holderOfFile: holder !== null && ofFile.has(holder),
      holderLine: holder === null ? null : (ownLines.get(holder) ?? null),
    }
  })
}

const idsOf = ({ externalId, formerId }: FeedbackItem) =>
  formerId === undefined ? [externalId] : [externalId, formerId]

/** Items by their ids. `lock` keeps others from changing them until the transaction ends. */
export async function readStored(
  tx: Tx,
  workspaceId: string,
  ids: readonly number[],
  { lock }: { lock: boolean },
): Promise<Map<number, StoredItem>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<StoredItem>`
    select id, external_id as "externalId", text, original, author, link, thread, place, attributes, said_at as "saidAt",
      date_known as "dateKnown", date_only as "dateOnly"
    from feedback_item
    where workspace_id = ${workspaceId} and id = any(${[...ids]}::bigint[])
    order by id ${lock ? sql`for update` : sql``}`.execute(tx)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Takes away the ids of items that another row has now. They get their own back when their rows are read. */
export async function displaceItems(tx: Tx, workspaceId: string, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await sql`
    update feedback_item set external_id = 'displaced:' || id
    where workspace_id = ${workspaceId} and id = any(${[...ids]}::bigint[])`.execute(tx)
}

/** Writes the given items. One whose text changes counts as ungrouped again. */
export async function writeItems(tx: Tx, workspaceId: string, items: readonly StoredItem[]): Promise<void> {
  if (items.length === 0) return
  await sql`
    update feedback_item item
    set external_id = input.external_id, text = input.text, original = input.original, author = input.author, link = input.link,
      thread = input.thread, place = input.place, attributes = coalesce(input.attributes, item.attributes), said_at = input.said_at,
      date_known = input.date_known, date_only = input.date_only,
      grouped_seq = case when item.text = input.text then item.grouped_seq end
    from unnest(${items.map((one) => one.id)}::bigint[], ${items.map((one) => one.externalId)}::text[],
      ${items.map((one) => one.text)}::text[], ${items.map((one) => one.author)}::text[],
      ${items.map((one) => one.link)}::text[], ${items.map((one) => one.thread)}::text[],
      ${items.map((one) => one.place)}::text[], ${items.map((one) => one.attributes && cleanJson(one.attributes))}::jsonb[],
      ${items.map((one) => one.saidAt)}::timestamptz[], ${items.map((one) => one.dateKnown)}::boolean[],
      ${items.map((one) => one.dateOnly)}::boolean[], ${items.map((one) => one.original)}::text[]
    ) as input (id, external_id, text, author, link, thread, place, attributes, said_at, date_known, date_only, original)
    where item.workspace_id = ${workspaceId} and item.id = input.id`.execute(tx)
}

/** Adds rows that are in the source for the first time and returns their ids, in the order given. */
export async function addItems(
  tx: Tx,
  workspaceId: string,
  connectionId: string,
  items: readonly FeedbackItem[],
): Promise<number[]> {
  if (items.length === 0) return []
  const { rows } = await sql<{ id: number }>`
    insert into feedback_item
      (workspace_id, connection_id, external_id, text, author, link, thread, place, attributes, said_at, date_known, date_only, original)
    select ${workspaceId}::uuid, ${connectionId}::uuid, external_id, text, author, link, thread, place, attributes, said_at, date_known,
      date_only, original
    from unnest(${items.map((item) => item.externalId)}::text[], ${items.map((item) => clean(item.text))}::text[],
      ${items.map((item) => cleanName(item.author))}::text[], ${items.map((item) => safeLink(item.link))}::text[],
      ${items.map((item) => clean(item.thread))}::text[], ${items.map((item) => cleanName(item.place))}::text[],
      ${items.map((item) => cleanJson(item.attributes ?? {}))}::jsonb[], ${items.map((item) => item.at)}::timestamptz[],
      ${items.map((item) => item.dateKnown !== false)}::boolean[], ${items.map((item) => item.dateOnly === true)}::boolean[],
      ${items.map((item) => clean(item.original ?? null))}::text[])
      with ordinality as input
        (external_id, text, author, link, thread, place, attributes, said_at, date_known, date_only, original, position)
    order by position
    returning id`.execute(tx)
  return rows.map((row) => row.id)
}

/** Records which item each line of an import is. */
export async function storeImportRows(
  tx: Tx,
  workspaceId: string,
  importId: string,
  rows: readonly { line: number; itemId: number; added: boolean }[],
): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into import_row (workspace_id, import_id, line, item_id, added)
    select ${workspaceId}::uuid, ${importId}::uuid, line, item_id, added
    from unnest(${rows.map((row) => row.line)}::int[], ${rows.map((row) => row.itemId)}::bigint[],
      ${rows.map((row) => row.added)}::boolean[]) as input (line, item_id, added)
    on conflict (workspace_id, import_id, line) do nothing`.execute(tx)
}

/** When the imports of the same file began: rows without a date got these times. */
export async function beginningsOfFile(
  tx: Tx,
  workspaceId: string,
  { importId, connectionId, fileHash }: ImportTarget,
): Promise<Date[]> {
  const { rows } = await sql<{ at: Date }>`
    select started_at as at from import
    where workspace_id = ${workspaceId} and connection_id = ${connectionId} and file_hash = ${fileHash}::text
      and id <> ${importId}`.execute(tx)
  return rows.map((row) => row.at)
}
