import type { FeedbackKind } from '@groundswell/contract/feedback/feedback-kind.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { connectionsView } from '../../connections/index.ts'
import { feedbackItemsView, hasPhrase } from '../../feedback/index.ts'
import { type EvidencePlace, type EvidenceRow, evidenceColumns, olderThan, withText } from '../evidence-store.ts'

/** A search examines this many mentions per page, then returns how far it came. */
const MAX_EXAMINED = 20_000
/** Counting stops here. */
const MAX_COUNT = 10_000

/** Which mentions are looked at: `courtesies`: also greetings, thanks and the like; `kind`: only those of it. */
export type UngroupedFilter = { courtesies: boolean; kind?: FeedbackKind | undefined }
/** Which of them a page shows: with all of the `words`, folded, anywhere in the message, and the `phrases`, see `phrasePattern`. */
type UngroupedQuery = UngroupedFilter & {
  words: readonly string[]
  phrases: readonly string[]
  limit: number
  after: EvidencePlace | null
}

const ungrouped = (workspaceId: string, { courtesies, kind }: UngroupedFilter, after: EvidencePlace | null) => sql`
  s.workspace_id = ${workspaceId} and s.issue_number is null
    ${courtesies ? sql`` : sql`and s.kind <> 'noise'`} ${kind ? sql`and s.feedback_kind = ${kind}` : sql``} ${after ? olderThan(after) : sql``}`

const newestFirst = sql`order by s.said_at desc, s.item_id desc, s.number desc`

/** How many mentions without an insight match a filter. */
export async function countUngrouped(tx: Tx, workspaceId: string, filter: UngroupedFilter): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from statement s where ${ungrouped(workspaceId, filter, null)} limit ${MAX_COUNT}
    ) counted`.execute(tx)
  return rows[0]?.count ?? 0
}

/**
 * Returns one row more than `limit` if there are more. `offset 0` makes the planner look up the item of each statement by its key: with
 * the statistics of a half-finished import it otherwise chooses a nested loop over all items, which takes minutes.
 */
export async function readUngrouped(
  tx: Tx,
  workspaceId: string,
  { words, phrases, limit, after, ...filter }: UngroupedQuery,
): Promise<EvidenceRow[]> {
  const conditions = [
    ...words.map((word) => sql`and strpos(search_fold(item.text), ${word}::text) > 0`),
    ...phrases.map((phrase) => sql`and ${hasPhrase(phrase)}`),
  ]
  const { rows } = await sql<Omit<EvidenceRow, 'text'>>`
    select ${evidenceColumns}, item.text as message
    from (
      select * from statement s where ${ungrouped(workspaceId, filter, after)}
      ${newestFirst} limit ${conditions.length > 0 ? MAX_EXAMINED : limit + 1}
    ) s
    cross join lateral (
      select id, connection_id, text, author, link, place, date_known, date_only from ${feedbackItemsView} item where workspace_id = ${workspaceId} and id = s.item_id offset 0
    ) item
    join ${connectionsView} connection on connection.workspace_id = ${workspaceId} and connection.id = item.connection_id
    where true ${sql.join(conditions, sql` `)}
    ${newestFirst} limit ${limit + 1}`.execute(tx)
  return rows.map(withText)
}

/** The last mention that a search examined; null when it reached the end. */
export async function lastExamined(
  tx: Tx,
  workspaceId: string,
  filter: UngroupedFilter,
  after: EvidencePlace | null,
): Promise<EvidencePlace | null> {
  const { rows } = await sql<EvidencePlace>`
    select s.said_at as "saidAt", s.item_id as "itemId", s.number from statement s
    where ${ungrouped(workspaceId, filter, after)} ${newestFirst} offset ${MAX_EXAMINED - 1} limit 1`.execute(tx)
  return rows[0] ?? null
}
