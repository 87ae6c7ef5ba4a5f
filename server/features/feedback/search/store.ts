import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'

type Sql = ReturnType<typeof sql>

/** What is searched for: all of `words`, and a word that begins like each word of `starting`. */
export type Asked = { words: string; starting: string }

/** The words of all messages for queries of other features, with the date and the connection of each. */
export const searchedFeedback = sql`(select workspace_id, item_id, connection_id, said_at, words from feedback_search)`

/** Whether `item.text` has the quoted text, given as a pattern, see `phrasePattern`. Letters with accents may be composed or not. */
export function hasPhrase(pattern: string) {
  return sql`lower(case when octet_length(item.text) = char_length(item.text) then item.text else normalize(item.text) end) ~ lower(${pattern}::text)`
}

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

/** All messages with these words from one moment to another, both included, as the same query; `from`, `until`: SQL expressions. */
export function feedbackWithWordsBetween(workspaceId: string, asked: Asked, from: Sql, until: Sql) {
  return sql`feedback_with_words_between(${searchQuery(workspaceId, asked)}, ${from}, ${until})`
}

/** About how many messages have these words: a guess from statistics, which takes no time. */
export async function estimateWithWords(tx: Tx, workspaceId: string, asked: Asked): Promise<number> {
  const { rows } = await sql<{ count: number | null }>`
    select estimated_with_words(${searchQuery(workspaceId, asked)}) as count`.execute(tx)
  return rows[0]?.count ?? 0
}

/** Whether all messages can be found: after an update those from before are prepared in the background. */
export async function isSearchFilled(tx: Tx, workspaceId: string): Promise<boolean> {
  const { rows } = await sql`
    select from search_fill where workspace_id = ${workspaceId}
    union all select from search_renewal where workspace_id = ${workspaceId}`.execute(tx)
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

/**
 * Stores the words of the next `count` messages as they are searched now; false if none was left, or if another transaction is writing the next one: it
 * is retried later, since waiting for it could make that one wait for this one. Words of ASCII are the same as ever.
 */
export async function renewSearch(tx: Tx, workspaceId: string, count: number): Promise<boolean> {
  const { rows } = await sql<{ after: number; last: number | null; busy: number | null }>`
    with renewal as (select after_id from search_renewal where workspace_id = ${workspaceId} for update),
    batch as (
      select item_id from feedback_search
      where workspace_id = ${workspaceId} and item_id > (select after_id from renewal) order by item_id limit ${count}
    ), own as (
      select item_id from feedback_search
      where workspace_id = ${workspaceId} and item_id in (select item_id from batch) for no key update skip locked
    )
    select (select after_id from renewal) as after, max(item_id) as last, min(item_id) filter (where item_id not in (select item_id from own)) as busy
    from batch`.execute(tx)
  const { after = 0, last = null, busy = null } = rows[0] ?? {}
  if (last === null) {
    await sql`delete from search_renewal where workspace_id = ${workspaceId}`.execute(tx)
    return false
  }
  const until = busy === null ? last : busy - 1
  // A statement of its own: only a new one sees the texts as they are since their rows are locked.
  await sql`
    update feedback_search f set words = array_to_tsvector(array(select word from search_lexemes(item.workspace_id, item.text) word))
    from feedback_item item
    where f.workspace_id = ${workspaceId} and f.item_id > ${after} and f.item_id <= ${until}
      and item.workspace_id = f.workspace_id and item.id = f.item_id and octet_length(item.text) > char_length(item.text)`.execute(
    tx,
  )
  await sql`update search_renewal set after_id = ${until} where workspace_id = ${workspaceId}`.execute(tx)
  return busy === null
}
