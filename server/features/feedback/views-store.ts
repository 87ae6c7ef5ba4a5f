import { sql } from 'kysely'

/**
 * Feedback for queries of other features: `join ${feedbackItemsView} item on …`. PostgreSQL plans it as it would the table.
 * `grouped_seq` is null until the item is grouped; `version` changes with every write to the row.
 */
export const feedbackItemsView = sql`(
  select workspace_id, id, connection_id, text, author, link, thread, place, said_at, date_known, date_only, stored_at, grouped_seq, attributes,
    original is not null as has_original,
    xmin::text as version
  from feedback_item)`

/** Whether the conversation of an `item` (of the view above) has more than that item, as an SQL expression. */
export const isInConversation = sql`(item.thread is not null and (
  exists (select from feedback_item other
    where other.workspace_id = item.workspace_id and other.connection_id = item.connection_id
      and other.thread = item.thread and other.id <> item.id)
  or exists (select from context_message said
    where said.workspace_id = item.workspace_id and said.connection_id = item.connection_id
      and said.thread = item.thread)))`

/** The ids of the items that an import added or whose text it changed, as rows of `item_id`. */
export function itemsOfImport(workspaceId: string, importId: string) {
  return sql`(
    select item_id from import_row where workspace_id = ${workspaceId} and import_id = ${importId} and added
    union select item_id from replaced_text where workspace_id = ${workspaceId} and import_id = ${importId})`
}

/** When the first row of an import was read, by the database's clock, as an SQL expression. */
export function importBegan(workspaceId: string, importId: string) {
  return sql`(select began_at from import where workspace_id = ${workspaceId} and id = ${importId})`
}
