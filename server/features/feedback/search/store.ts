import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'

/** What is searched for: all of `words`, and a word that begins like each word of `starting`. */
export type Asked = { words: string; starting: string }

/** The words of all messages for queries of other features, with the date and the connection of each. */
export const searchedFeedback = sql`(select workspace_id, item_id, connection_id, said_at, words from feedback_search)`

/** What `words` of the view above is matched with by `@@`, as an SQL expression; null without a word. */
export function searchQuery(workspaceId: string, { words, starting }: Asked) {
  return sql`search_query(${workspaceId}::uuid, ${words}::text, ${starting}::text)`
}

/** Up to `atMost` messages with these words, in no order, as rows of `item_id`, `connection_id` and `said_at`. */
export function feedbackWithWords(
  workspaceId: string,
  asked: Asked,
  { from, to }: { from: Date | null; to: Date | null },
  atMost: number,
) {
  return sql`feedback_with_words(${searchQuery(workspaceId, asked)}, ${from}::timestamptz, ${to}::timestamptz, ${atMost}::int)`
}

/** About how many messages have these words: a guess from statistics, which takes no time. */
export async function estimateWithWords(tx: Tx, workspaceId: string, asked: Asked): Promise<number> {
  const { rows } = await sql<{ count: number | null }>`
    select estimated_with_words(${searchQuery(workspaceId, asked)}) as count`.execute(tx)
  return rows[0]?.count ?? 0
}

/** Whether all messages can be found: after an update those from before are prepared in the background. */
export async function isSearchFilled(tx: Tx, workspaceId: string): Promise<boolean> {
  const { rows } = await sql`select from search_fill where workspace_id = ${workspaceId}`.execute(tx)
  return rows.length === 0
}

/** Workspaces whose search index is incomplete. */
export async function workspacesToFill(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select workspaces_to_fill_search() as id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Adds the next `count` messages to the search index; false if none was left. Messages that change in the meantime are not overwritten. */
export async function fillSearch(tx: Tx, workspaceId: string, count: number): Promise<boolean> {
  const { rows } = await sql<{ last: number | null }>`
    with fill as (select after_id from search_fill where workspace_id = ${workspaceId} for update),
    batch as (
      select workspace_id, id, connection_id, said_at, text from feedback_item
      where workspace_id = ${workspaceId} and id > (select after_id from fill)
      order by id limit ${count} for key share
    ), stored as (
      insert into feedback_search (workspace_id, item_id, connection_id, said_at, words)
      select workspace_id, id, connection_id, said_at, array_to_tsvector(array(select word from search_lexemes(workspace_id, text) word)) from batch
      on conflict do nothing
    )
    update search_fill set after_id = last
    from (select max(id) as last from batch) done
    where workspace_id = ${workspaceId} and last is not null
    returning last`.execute(tx)
  if (rows.length > 0) return true
  await sql`delete from search_fill where workspace_id = ${workspaceId}`.execute(tx)
  return false
}
