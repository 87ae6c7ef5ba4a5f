import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'
import type { DueQuery } from '../../platform/sweep/store.ts'
import { feedbackItemsView } from '../feedback/index.ts'
import { statementsView } from '../insights/index.ts'

/** A statement to embed. `version` changes with every write to its message. */
export type StatementToEmbed = { itemId: number; number: number; text: string; version: string }
/** `vector` is null if the model rejects the text. */
export type VectorRow = StatementToEmbed & { hash: Buffer; vector: Uint8Array | null }

/** The space that an admin chose; empty for words alone, null when nobody chose. */
export async function readChoice(tx: Tx, workspaceId: string): Promise<string | null> {
  const { rows } = await sql<{ space: string }>`
    select space from embedding_choice where workspace_id = ${workspaceId}`.execute(tx)
  return rows[0]?.space ?? null
}

/** Null: the default. The caller stores groups of that space in the same transaction. */
export async function writeChoice(tx: Tx, workspaceId: string, space: string | null, now: Date): Promise<void> {
  if (space === null) {
    await sql`delete from embedding_choice where workspace_id = ${workspaceId}`.execute(tx)
    return
  }
  await sql`
    insert into embedding_choice (workspace_id, space, chosen_at) values (${workspaceId}, ${space}, ${now})
    on conflict (workspace_id) do update set space = excluded.space, chosen_at = excluded.chosen_at`.execute(tx)
}

/** Vectors by the hash of their text in base64; null if the model rejects the text. Texts that were never sent are absent. */
export async function readByHash(
  tx: Tx,
  workspaceId: string,
  space: string,
  hashes: readonly Buffer[],
): Promise<Map<string, Buffer | null>> {
  if (hashes.length === 0) return new Map()
  const { rows } = await sql<{ hash: string; vector: Buffer | null }>`
    select distinct on (text_hash) encode(text_hash, 'base64') as hash, vector from statement_vector
    where workspace_id = ${workspaceId} and space = ${space}
      and text_hash in (select decode(h, 'base64') from unnest(${hashes.map((hash) => hash.toString('base64'))}::text[]) as h)
    order by text_hash, vector nulls last`.execute(tx)
  return new Map(rows.map((row) => [row.hash, row.vector]))
}

/** Stores vectors of statements whose messages have not changed since they were read. */
export async function writeVectors(
  tx: Tx,
  workspaceId: string,
  space: string,
  rows: readonly VectorRow[],
): Promise<void> {
  if (rows.length === 0) return
  const base64 = (bytes: Uint8Array | null) => (bytes === null ? null : Buffer.from(bytes).toString('base64'))
  await sql`
    insert into statement_vector (workspace_id, space, item_id, number, text_hash, vector)
    select ${workspaceId}::uuid, ${space}, one.item_id, one.number, decode(one.hash, 'base64'), decode(one.vector, 'base64')
    from unnest(${rows.map((row) => row.itemId)}::bigint[], ${rows.map((row) => row.number)}::smallint[],
      ${rows.map((row) => row.version)}::text[], ${rows.map((row) => base64(row.hash))}::text[],
      ${rows.map((row) => base64(row.vector))}::text[]) as one (item_id, number, version, hash, vector)
    join ${feedbackItemsView} item on item.workspace_id = ${workspaceId} and item.id = one.item_id
      and item.version = one.version
    on conflict (workspace_id, space, item_id, number) do update
    set text_hash = excluded.text_hash, vector = excluded.vector`.execute(tx)
}

/** The vectors of all statements of these messages, with the hashes of their texts, by statement id. */
export async function readOfItems(
  tx: Tx,
  workspaceId: string,
  space: string,
  itemIds: readonly number[],
): Promise<Map<string, { hash: Buffer; vector: Buffer }>> {
  if (itemIds.length === 0) return new Map()
  const { rows } = await sql<{ id: string; hash: Buffer; vector: Buffer }>`
    select item_id || ':' || number as id, text_hash as hash, vector from statement_vector
    where workspace_id = ${workspaceId} and space = ${space} and vector is not null
      and item_id = any(${[...itemIds]}::bigint[])`.execute(tx)
  return new Map(rows.map(({ id, ...row }) => [id, row]))
}

/** Which of these messages have a vector. */
export async function readItemsWithVector(
  tx: Tx,
  workspaceId: string,
  space: string,
  itemIds: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct item_id as id from statement_vector
    where workspace_id = ${workspaceId} and space = ${space} and item_id = any(${[...itemIds]}::bigint[])
      and vector is not null`.execute(tx)
  return rows.map((row) => row.id)
}

/** The vectors of these statements (`item:number`) that have one, in the order of their messages. */
export async function readOfStatements(
  tx: Tx,
  workspaceId: string,
  space: string,
  ids: readonly string[],
): Promise<{ id: string; vector: Buffer }[]> {
  if (ids.length === 0) return []
  const parts = ids.map((id) => id.split(':').map(Number) as [item: number, number: number])
  const { rows } = await sql<{ id: string; vector: Buffer }>`
    select v.item_id || ':' || v.number as id, v.vector from statement_vector v
    join unnest(${parts.map(([item]) => item)}::bigint[], ${parts.map(([, number]) => number)}::smallint[])
      as one (item_id, number) on one.item_id = v.item_id and one.number = v.number
    where v.workspace_id = ${workspaceId} and v.space = ${space} and v.vector is not null
    order by v.item_id, v.number`.execute(tx)
  return rows
}

/** The next statements with a vector, in the order of their messages, after the statement `after`. */
export async function readVectorPage(
  tx: Tx,
  workspaceId: string,
  space: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<{ id: string; vector: Buffer }[]> {
  const [item, number] = (after ?? '0:0').split(':').map(Number)
  const { rows } = await sql<{ id: string; vector: Buffer }>`
    select v.item_id || ':' || v.number as id, v.vector
    from statement_vector v join ${statementsView} s
      on s.workspace_id = ${workspaceId} and s.item_id = v.item_id and s.number = v.number and s.kind <> 'noise'
    where v.workspace_id = ${workspaceId} and v.space = ${space} and v.vector is not null
      and (v.item_id, v.number) > (${item}::bigint, ${number}::smallint)
    order by v.item_id, v.number limit ${limit}`.execute(tx)
  return rows
}

/** Whether grouping could compare this statement by its vector at that time: it has one, and the model was in use. */
export async function isComparedSince(
  tx: Tx,
  workspaceId: string,
  space: string,
  { itemId, number, decidedAt }: { itemId: number; number: number; decidedAt: Date },
): Promise<boolean> {
  const { rows } = await sql`
    select from statement_vector mine
    where mine.workspace_id = ${workspaceId} and mine.space = ${space} and mine.item_id = ${itemId} and mine.number = ${number}
      and mine.vector is not null
      and not exists (select from embedding_choice where workspace_id = ${workspaceId} and chosen_at > ${decidedAt})`.execute(
    tx,
  )
  return rows.length > 0
}

/** Deletes the vectors of these statements, in one space. */
export async function deleteVectors(
  tx: Tx,
  workspaceId: string,
  space: string,
  statements: readonly { itemId: number; number: number }[],
): Promise<void> {
  if (statements.length === 0) return
  await sql`
    delete from statement_vector v
    using unnest(${statements.map((one) => one.itemId)}::bigint[], ${statements.map((one) => one.number)}::smallint[])
      as gone (item_id, number)
    where v.workspace_id = ${workspaceId} and v.space = ${space} and v.item_id = gone.item_id
      and v.number = gone.number`.execute(tx)
}

const missing = (workspaceId: string, space: string) => sql`
  s.workspace_id = ${workspaceId} and s.kind <> 'noise' and item.grouped_seq is not null
  and not exists (select from statement_vector v where v.workspace_id = ${workspaceId} and v.space = ${space}
    and v.item_id = s.item_id and v.number = s.number)`

type SpanRow = StatementToEmbed & { start: number; end: number; message: string; point: string | null }

const span = sql`s.item_id as "itemId", s.number, s.start_offset as start, s.end_offset as "end",
  left(item.text, s.end_offset) as message, s.point, item.version`

/** With the text that is embedded: the point that was read in the statement, else its own words. */
function withText<T extends SpanRow>({ start, end, message, point, ...row }: T) {
  return { ...row, text: point ?? message.slice(start, end) }
}

/** The grouped statements of these messages, each with the hash of the text that its vector of this space is of. */
export async function readHashed(
  tx: Tx,
  workspaceId: string,
  space: string,
  itemIds: readonly number[],
): Promise<(StatementToEmbed & { hash: Buffer | null })[]> {
  const { rows } = await sql<SpanRow & { hash: Buffer | null }>`
    select ${span}, v.text_hash as hash
    from ${statementsView} s join ${feedbackItemsView} item on item.workspace_id = ${workspaceId} and item.id = s.item_id
    left join statement_vector v on v.workspace_id = ${workspaceId} and v.space = ${space}
      and v.item_id = s.item_id and v.number = s.number
    where s.workspace_id = ${workspaceId} and s.item_id = any(${[...itemIds]}::bigint[]) and s.kind <> 'noise'
      and item.grouped_seq is not null
    order by s.item_id, s.number`.execute(tx)
  return rows.map(withText)
}

/** Grouped statements without a vector of this space, in the order of their messages, after message `afterItem`. */
export async function readMissing(
  tx: Tx,
  workspaceId: string,
  space: string,
  afterItem: number,
  limit: number,
): Promise<StatementToEmbed[]> {
  const { rows } = await sql<SpanRow>`
    select ${span}
    from ${statementsView} s join ${feedbackItemsView} item on item.workspace_id = ${workspaceId} and item.id = s.item_id
    where ${missing(workspaceId, space)} and s.item_id > ${afterItem}
    order by s.item_id, s.number limit ${limit}`.execute(tx)
  return rows.map(withText)
}

/** True when a grouped statement has no vector of this space yet. */
export async function isMissing(tx: Tx, workspaceId: string, space: string): Promise<boolean> {
  const { rows } = await sql<{ missing: boolean }>`
    select exists (
      select from ${statementsView} s join ${feedbackItemsView} item on item.workspace_id = ${workspaceId} and item.id = s.item_id
      where ${missing(workspaceId, space)}) as missing`.execute(tx)
  return rows[0]?.missing ?? false
}

/** How many grouped statements have no vector of this space yet. */
export async function countMissing(tx: Tx, workspaceId: string, space: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
    from ${statementsView} s join ${feedbackItemsView} item on item.workspace_id = ${workspaceId} and item.id = s.item_id
    where ${missing(workspaceId, space)}`.execute(tx)
  return rows[0]?.count ?? 0
}

/** How many statements there are, and how many were sent to the model. Small talk does not count. */
export async function countVectors(
  tx: Tx,
  workspaceId: string,
  space: string,
): Promise<{ embedded: number; statements: number }> {
  const { rows } = await sql<{ embedded: number; statements: number }>`
    select count(*)::int as statements, count(v.item_id)::int as embedded
    from ${statementsView} s left join statement_vector v on v.workspace_id = ${workspaceId} and v.space = ${space}
      and v.item_id = s.item_id and v.number = s.number
    where s.workspace_id = ${workspaceId} and s.kind <> 'noise'`.execute(tx)
  return rows[0] ?? { embedded: 0, statements: 0 }
}

/** Any stored vector of this space; null if there is none yet. */
export async function readSample(tx: Tx, workspaceId: string, space: string): Promise<Buffer | null> {
  const { rows } = await sql<{ vector: Buffer }>`
    select vector from statement_vector
    where workspace_id = ${workspaceId} and space = ${space} and vector is not null limit 1`.execute(tx)
  return rows[0]?.vector ?? null
}

/** Deletes the vectors of all spaces but these. */
export async function deleteOtherVectors(tx: Tx, workspaceId: string, spaces: readonly string[]): Promise<void> {
  await sql`
    delete from statement_vector
    where workspace_id = ${workspaceId} and space <> all(${[...spaces]}::text[])`.execute(tx)
}

/** Deletes the vectors of all spaces of a provider but these. */
export async function deleteVectorsOf(
  tx: Tx,
  workspaceId: string,
  { provider, except }: { provider: string; except: readonly string[] },
): Promise<void> {
  await sql`
    delete from statement_vector
    where workspace_id = ${workspaceId} and (space like ${`${provider}/%`} or space like ${`${provider}#%`})
      and space <> all(${[...except]}::text[])`.execute(tx)
}

/** Workspaces in which a switch is being prepared or applied. */
export const workspacesSwitching: DueQuery = async (tx) => {
  const { rows } = await sql<{ id: string }>`select workspaces_switching_embeddings() as id`.execute(tx)
  return rows.map((row) => row.id)
}

/** The spaces that any workspace groups with. Run without a workspace. */
export async function spacesInUse(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ space: string }>`select embedding_spaces_in_use() as space`.execute(tx)
  return rows.map((row) => row.space)
}
