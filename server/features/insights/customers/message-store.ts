import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import type { Message } from '../../customers/index.ts'
import { feedbackItemsView } from '../../feedback/index.ts'

const columns = sql`item.id, item.author, item.attributes, item.said_at as "saidAt"`

/** Messages that the caller has locked. */
export async function readMessages(tx: Tx, workspaceId: string, ids: readonly number[]): Promise<Message[]> {
  const { rows } = await sql<Message>`
    select ${columns} from ${feedbackItemsView} item
    where item.workspace_id = ${workspaceId} and item.id = any(${[...ids]}::bigint[])`.execute(tx)
  return rows
}

/** Locks these messages, if they are grouped, against changes until the transaction ends. Those that are being changed are left out. */
export async function lockMessages(tx: Tx, workspaceId: string, ids: readonly number[]): Promise<Message[]> {
  const { rows } = await sql<Message>`
    select ${columns} from ${feedbackItemsView} item
    where item.workspace_id = ${workspaceId} and item.id = any(${[...ids]}::bigint[]) and item.grouped_seq is not null
    order by item.id for share skip locked`.execute(tx)
  return rows
}

/** Which of these messages are grouped. */
export async function readGrouped(tx: Tx, workspaceId: string, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select item.id from ${feedbackItemsView} item
    where item.workspace_id = ${workspaceId} and item.id = any(${[...ids]}::bigint[]) and item.grouped_seq is not null`.execute(
    tx,
  )
  return rows.map(({ id }) => id)
}

/** The ids of the next `limit` messages after one. */
export async function readIdsAfter(tx: Tx, workspaceId: string, after: number, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select item.id from ${feedbackItemsView} item
    where item.workspace_id = ${workspaceId} and item.id > ${after} order by item.id limit ${limit}`.execute(tx)
  return rows.map(({ id }) => id)
}
