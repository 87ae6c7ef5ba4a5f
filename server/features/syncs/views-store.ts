import { sql } from 'kysely'

/** The state of syncs for queries of other features: `left join ${syncsView} sync on …`. A connection never synced has no row. */
export const syncsView = sql`(
  select workspace_id, connection_id, status, read_count, total_count, incomplete, waiting_until, last_sync_at, set_aside,
    message_count, cardinality(attachment_only) as attachment_count,
    case when status = 'syncing' and message_count is null then cursor end as first_cursor
  from sync_state)`
