import type { Kind } from '@groundswell/engine/index.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../../platform/db/tenant.ts'
import { feedbackItemsView } from '../../../feedback/index.ts'
import { numberArray, textArray } from '../../array-literal.ts'
import type { KindColumns, StepResult } from '../protocol.ts'

/** A person's kind that grouping has not read. `kind`: null once it was taken back. */
export type WaitingKind = {
  itemId: string
  key: string
  number: number
  text: string
  kind: Kind | null
  point: string | null
  readKind: Kind | null
  saidAt: Date
  correctedAt: Date
}

/** A stored statement whose kind has to be decided. */
export type UndecidedKind = { itemId: string; number: number; text: string; saidAt: Date }

/** A kind that a person gave. `point`: what was read in the statement. */
export type TaughtKind = { itemId: string; number: number; text: string; kind: Kind; point: string | null }

/** Which version of people's kinds the next step has to be taught (0: there are none), and after which message kinds are missing (null: none are). */
export type KindState = { taught: number; kindsAfter: number | null }

const MAX_WAITING = 500

/** What the classifier of kinds was taught for this workspace, as the next step needs it. */
export async function readKindState(tx: Tx, workspaceId: string): Promise<KindState> {
  const { rows } = await sql<KindState>`
    select taught, kinds_after as "kindsAfter" from engine_state where workspace_id = ${workspaceId}`.execute(tx)
  return rows[0] ?? { taught: 0, kindsAfter: null }
}

/** The kinds set by people that the next step has to read. */
export async function readWaitingKinds(tx: Tx, workspaceId: string): Promise<WaitingKind[]> {
  const { rows } = await sql<WaitingKind>`
    select c.item_id::text as "itemId", c.text_hash as key, c.number, c.text, c.kind, c.corrected_at as "correctedAt",
      coalesce(s.said_at, c.corrected_at) as "saidAt", s.point, s.read_kind as "readKind"
    from kind_correction c
    left join statement s on s.workspace_id = ${workspaceId} and s.item_id = c.item_id and s.number = c.number
    where c.workspace_id = ${workspaceId} and c.waiting order by c.item_id, c.text_hash limit ${MAX_WAITING}`.execute(
    tx,
  )
  return rows
}

/** Records that a step has read these. What was corrected since then still waits; what was taken back goes. */
export async function clearWaitingKinds(tx: Tx, workspaceId: string, read: readonly WaitingKind[]): Promise<void> {
  if (read.length === 0) return
  const given = sql`unnest(${numberArray(read.map((one) => one.itemId))}::bigint[], ${textArray(read.map((one) => one.key))}::text[],
    ${textArray(read.map((one) => one.kind))}::text[],
    ${textArray(read.map((one) => one.correctedAt.toISOString()))}::timestamptz[]) as given (item, key, kind, at)`
  const isRead = sql`c.workspace_id = ${workspaceId} and c.item_id = given.item and c.text_hash = given.key
    and c.kind is not distinct from given.kind and date_trunc('milliseconds', c.corrected_at) = given.at`
  await sql`delete from kind_correction c using ${given} where ${isRead} and c.kind is null`.execute(tx)
  await sql`update kind_correction c set waiting = false from ${given} where ${isRead}`.execute(tx)
}

/** The newest kinds by people, oldest first. */
export async function readTaughtKinds(tx: Tx, workspaceId: string, limit: number): Promise<TaughtKind[]> {
  const { rows } = await sql<TaughtKind>`
    select c.item_id::text as "itemId", c.number, c.text, c.kind, s.point from kind_correction c
    left join statement s on s.workspace_id = ${workspaceId} and s.item_id = c.item_id and s.number = c.number
    where c.workspace_id = ${workspaceId} and c.kind is not null
    order by c.corrected_at desc, c.item_id desc, c.number desc limit ${limit}`.execute(tx)
  return rows.reverse()
}

/** The kinds that people gave statements of these messages. */
export async function readKeptKinds(
  tx: Tx,
  workspaceId: string,
  itemIds: readonly number[],
): Promise<{ itemId: string; key: string; text: string; kind: Kind }[]> {
  if (itemIds.length === 0) return []
  const { rows } = await sql<{ itemId: string; key: string; text: string; kind: Kind }>`
    select item_id::text as "itemId", text_hash as key, text, kind from kind_correction
    where workspace_id = ${workspaceId} and item_id = any(${numberArray(itemIds)}::bigint[]) and kind is not null`.execute(
    tx,
  )
  return rows
}

/** Records which statements of edited messages have the words of a person's kind; it goes where none has. */
export async function settleKeptKinds(
  tx: Tx,
  workspaceId: string,
  editedIds: readonly number[],
  kept: StepResult['keptKinds'],
): Promise<void> {
  if (editedIds.length === 0) return
  const found = sql`unnest(${numberArray(kept.map((one) => one.itemId))}::bigint[], ${textArray(kept.map((one) => one.key))}::text[],
    ${numberArray(kept.map((one) => one.number))}::smallint[]) as found (item, key, number)`
  await sql`
    delete from kind_correction c where c.workspace_id = ${workspaceId} and c.item_id = any(${numberArray(editedIds)}::bigint[])
      and not exists (select from ${found} where found.item = c.item_id and found.key = c.text_hash)`.execute(tx)
  await sql`
    update kind_correction c set number = found.number from ${found}
    where c.workspace_id = ${workspaceId} and c.item_id = found.item and c.text_hash = found.key`.execute(tx)
}

/** Statements without a decided kind, of messages after this one, in order. */
export async function readUndecidedKinds(
  tx: Tx,
  workspaceId: string,
  after: number,
  limit: number,
): Promise<UndecidedKind[]> {
  type Row = Omit<UndecidedKind, 'text'> & { start: number; end: number; message: string }
  const { rows } = await sql<Row>`
    select s.item_id::text as "itemId", s.number, s.said_at as "saidAt", s.start_offset as start, s.end_offset as "end",
      left(item.text, s.end_offset) as message
    from (
      select * from statement where workspace_id = ${workspaceId} and item_id > ${after}::bigint and kind_by is null
      order by item_id, number limit ${limit}
    ) s
    join ${feedbackItemsView} item on item.workspace_id = ${workspaceId} and item.id = s.item_id
    order by s.item_id, s.number`.execute(tx)
  return rows.map(({ start, end, message, ...row }) => ({ ...row, text: message.slice(start, end) }))
}

/** Records after which message kinds are still missing; null: none are. */
export async function storeKindsAfter(tx: Tx, workspaceId: string, after: number | null): Promise<void> {
  await sql`update engine_state set kinds_after = ${after}::bigint where workspace_id = ${workspaceId}`.execute(tx)
}

/** Stores the kinds of statements as they were decided again. What a person set, or took back, since the step was read stays: it still waits. */
export async function storeKinds(tx: Tx, workspaceId: string, columns: KindColumns): Promise<void> {
  if (columns.count === 0) return
  await sql`
    update statement s set feedback_kind = decided.kind, kind_by = decided.by, subjectless = decided.subjectless
    from unnest(${columns.itemIds}::bigint[], ${columns.numbers}::smallint[], ${columns.kinds}::text[], ${columns.by}::text[],
      ${columns.subjectless}::boolean[]) as decided (item_id, number, kind, by, subjectless)
    where s.workspace_id = ${workspaceId} and s.item_id = decided.item_id and s.number = decided.number
      and (s.feedback_kind, s.kind_by, s.subjectless) is distinct from (decided.kind, decided.by, decided.subjectless)
      and not exists (
        select from kind_correction c
        where c.workspace_id = ${workspaceId} and c.item_id = s.item_id and c.number = s.number and c.waiting)`.execute(
    tx,
  )
}
