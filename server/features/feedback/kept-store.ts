import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'

/** How many messages each connection has, agents' included, by its id. */
export async function countMessages(tx: Tx, workspaceId: string): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ id: string; messages: number }>`
    select connection_id as id, count(*)::int as messages from (
      select connection_id from feedback_item where workspace_id = ${workspaceId}
      union all select connection_id from context_message where workspace_id = ${workspaceId}
    ) message group by connection_id`.execute(tx)
  return new Map(rows.map(({ id, messages }) => [id, messages]))
}

/** How many messages one connection has, agents' included. */
export async function countMessagesOf(tx: Tx, workspaceId: string, connectionId: string): Promise<number> {
  const of = sql`where workspace_id = ${workspaceId} and connection_id = ${connectionId}`
  const { rows } = await sql<{ messages: number }>`
    select ((select count(*) from feedback_item ${of}) + (select count(*) from context_message ${of}))::int as messages`.execute(
    tx,
  )
  return rows[0]?.messages ?? 0
}

/** The ids of a connection's items, ascending, and how many messages of agents it has besides. */
export async function readItemsOf(
  tx: Tx,
  workspaceId: string,
  connectionId: string,
): Promise<{ ids: number[]; context: number }> {
  const { rows } = await sql<{ id: number }>`
    select id from feedback_item where workspace_id = ${workspaceId} and connection_id = ${connectionId}
    order by id`.execute(tx)
  const { rows: said } = await sql<{ count: number }>`
    select count(*)::int as count from context_message
    where workspace_id = ${workspaceId} and connection_id = ${connectionId}`.execute(tx)
  return { ids: rows.map(({ id }) => id), context: said[0]?.count ?? 0 }
}

/** Removes all messages of a connection, agents' included, and returns how many there were. */
export async function deleteFeedbackOf(tx: Tx, workspaceId: string, connectionId: string): Promise<number> {
  const context = await sql`
    delete from context_message where workspace_id = ${workspaceId} and connection_id = ${connectionId}`.execute(tx)
  const items = await sql`
    delete from feedback_item where workspace_id = ${workspaceId} and connection_id = ${connectionId}`.execute(tx)
  return Number(context.numAffectedRows ?? 0) + Number(items.numAffectedRows ?? 0)
}
