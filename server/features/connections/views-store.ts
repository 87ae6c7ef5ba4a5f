import { type RawBuilder, sql } from 'kysely'

/**
 * Connections for queries of other features: `join ${connectionsView} connection on …`. PostgreSQL plans it as it would the
 * table. `live`: not disconnected.
 */
export const connectionsView = sql`(
  select workspace_id, id, connector, name, paused, signed_out, ready, disconnected_at is null as live from connection)`

/**
 * A live, signed-in connection with its required choices made (`workspace_id`, `id`, `error`), locked until the transaction ends; no row for any other. Joined
 * by a statement that changes what depends on the connection: neither is changed by another transaction meanwhile, and both are
 * locked in the order in which a disconnection locks them.
 */
export function lockedConnection(workspaceId: string, id: string): RawBuilder<unknown> {
  return sql`(
    select workspace_id, id, error from connection
    where workspace_id = ${workspaceId} and id = ${id} and disconnected_at is null and not signed_out and ready
    for no key update)`
}
