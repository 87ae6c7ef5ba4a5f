import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { feedbackItemsView } from '../../feedback/index.ts'

/** Up to here an insight is counted whenever it changes; a larger one when it has become a tenth larger or smaller. */
const COUNTED_AT_ONCE = 1_000
/** How many of the newest mentions are searched for copies. */
const MAX_READ = 5_000
/** As many as one correction takes. */
const MAX_NAMED = 500
const MIN_COPIES = 3
const MAX_SETS = 3

/**
 * What makes two mentions copies, for a query over `statement s` and `item`: their words are the same, in any case and spacing and whatever they
 * link to, as each copy of a campaign has a link of its own. Offsets count UTF-16 units: characters that take two are doubled before it is cut out.
 */
const textKey = sql`md5(lower(btrim(regexp_replace(regexp_replace(
  substr(regexp_replace(item.text, '([\\U00010000-\\U0010ffff])', '\\1\\1', 'g'), s.start_offset + 1, s.end_offset - s.start_offset),
  'https?://\\S+', '', 'gi'), '\\s+', ' ', 'g'))))`

/** Counts the texts and the known authors of these insights, where that is due. Call after their mentions were counted. */
export async function countTexts(tx: Tx, workspaceId: string, numbers: readonly number[]): Promise<void> {
  await sql`
    with due as (
      select issue_number, mention_count from insight
      where workspace_id = ${workspaceId} and issue_number = any(${[...numbers]}::int[])
        and (mention_count <= ${COUNTED_AT_ONCE}::int or texts_of is null or abs(mention_count - texts_of) * 10 >= texts_of)
    ), counted as (
      select due.issue_number, due.mention_count, found.texts, found.authors
      from due cross join lateral (
        select count(distinct ${textKey})::int as texts, count(distinct item.author)::int as authors
        from statement s join ${feedbackItemsView} item on item.workspace_id = ${workspaceId} and item.id = s.item_id
        where s.workspace_id = ${workspaceId} and s.issue_number = due.issue_number
      ) found
    )
    update insight set text_count = counted.texts, author_count = counted.authors, texts_of = counted.mention_count
    from counted where insight.workspace_id = ${workspaceId} and insight.issue_number = counted.issue_number`.execute(
    tx,
  )
}

/** Whether the texts of an insight were never counted, as before the version that counts them. */
export async function hasUncountedTexts(tx: Tx, workspaceId: string, issueNumber: number): Promise<boolean> {
  const { rows } = await sql`
    select from insight where workspace_id = ${workspaceId} and issue_number = ${issueNumber} and text_count is null`.execute(
    tx,
  )
  return rows.length > 0
}

/** Mentions of one text: the ids of the newest of them, newest first. */
export type CopiesRow = { count: number; people: number; mentions: string[] }

/** The texts that an insight has three times and more among its newest mentions, the most copied first. */
export async function readCopies(tx: Tx, workspaceId: string, issueNumber: number): Promise<CopiesRow[]> {
  const { rows } = await sql<CopiesRow>`
    select count(*)::int as count, count(distinct coalesce(author, item_id::text))::int as people,
      (array_agg(item_id || ':' || number order by said_at desc, item_id desc, number desc))[1:${MAX_NAMED}::int] as mentions
    from (
      select ${textKey} as key, s.item_id, s.number, s.said_at, item.author
      from (
        select * from statement where workspace_id = ${workspaceId} and issue_number = ${issueNumber}
        order by said_at desc, item_id desc, number desc limit ${MAX_READ}
      ) s
      join ${feedbackItemsView} item on item.workspace_id = ${workspaceId} and item.id = s.item_id
    ) mention
    group by key having count(*) >= ${MIN_COPIES}::int order by 1 desc, key limit ${MAX_SETS}`.execute(tx)
  return rows
}
