import { sql } from 'kysely'

/**
 * Connections for queries of other features: `join ${connectionsView} connection on …`. PostgreSQL plans it as it would the
 * table. `live`: not disconnected.
 */
export const connectionsView = sql`(
  select workspace_id, id, connector, name, paused, signed_out, disconnected_at is null as live from connection)`
