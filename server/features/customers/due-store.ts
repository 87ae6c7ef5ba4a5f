import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'

/** Up to `limit` messages whose author or attributes changed after they were grouped. */
export async function readDueMessages(tx: Tx, workspaceId: string, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select item_id as id from customer_due where workspace_id = ${workspaceId} order by item_id limit ${limit}`.execute(
    tx,
  )
  return rows.map(({ id }) => id)
}

/** Marks the customers of these messages as up to date. Call it while the messages are locked. */
export async function settleMessages(tx: Tx, workspaceId: string, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await sql`
    delete from customer_due where workspace_id = ${workspaceId} and item_id = any(${[...ids]}::bigint[])`.execute(tx)
}

/** Postpones these messages. */
export async function postponeMessages(tx: Tx, workspaceId: string, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await sql`
    insert into customer_due (workspace_id, item_id) select ${workspaceId}::uuid, unnest(${[...ids]}::bigint[])
    on conflict do nothing`.execute(tx)
}

/** The message after which the others have not been processed yet; null: all have been. */
export async function readFill(tx: Tx, workspaceId: string): Promise<number | null> {
  const { rows } = await sql<{ after: number }>`
    select after_id as after from customer_fill where workspace_id = ${workspaceId} for update`.execute(tx)
  return rows[0]?.after ?? null
}

/** Whether all messages have been processed, which takes a while after an update or a change of the list. */
export async function isFilled(tx: Tx, workspaceId: string): Promise<boolean> {
  const { rows } = await sql`select from customer_fill where workspace_id = ${workspaceId}`.execute(tx)
  return rows.length === 0
}

/** Records that the messages up to this one have been processed; null: all of them. */
export async function storeFill(tx: Tx, workspaceId: string, after: number | null): Promise<void> {
  if (after === null) await sql`delete from customer_fill where workspace_id = ${workspaceId}`.execute(tx)
  else await sql`update customer_fill set after_id = ${after} where workspace_id = ${workspaceId}`.execute(tx)
}

/** Starts again with all messages, because what people specified about customers has changed. */
export async function restartFill(tx: Tx, workspaceId: string): Promise<void> {
  await sql`
    insert into customer_fill (workspace_id) values (${workspaceId})
    on conflict (workspace_id) do update set after_id = 0`.execute(tx)
}

/** Workspaces with messages or counts to process. Run without a workspace. */
export async function workspacesToFindCustomers(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select workspaces_to_find_customers() as id`.execute(tx)
  return rows.map(({ id }) => id)
}
