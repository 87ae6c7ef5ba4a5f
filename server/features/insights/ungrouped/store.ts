import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { type EvidencePlace, type EvidenceRow, evidenceColumns, olderThan, withText } from '../evidence-store.ts'

/** A search looks at so many mentions, then says how far it came. */
const LOOKED_AT = 20_000
/** More are not counted. */
const COUNTED = 10_000

/** Which mentions a page shows: `words` all of them in the message; `courtesies`: also those without an opinion. */
type UngroupedQuery = { words: readonly string[]; courtesies: boolean; limit: number; after: EvidencePlace | null }

const free = (workspaceId: string, courtesies: boolean, after: EvidencePlace | null) => sql`
  s.workspace_id = ${workspaceId} and s.issue_number is null
    ${courtesies ? sql`` : sql`and s.kind <> 'noise'`} ${after ? olderThan(after) : sql``}`

const newestFirst = sql`order by s.said_at desc, s.item_id desc, s.number desc`

export async function countUngrouped(tx: Tx, workspaceId: string, courtesies: boolean): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from statement s where ${free(workspaceId, courtesies, null)} limit ${COUNTED}
    ) counted`.execute(tx)
  return rows[0]?.count ?? 0
}

/**
 * One more row than `limit` where there are more. `offset 0` keeps the planner to one look-up by key for each statement: with the
 * statistics of a half-finished import it otherwise compares every statement with every item, which takes minutes.
 */
export async function readUngrouped(
  tx: Tx,
  workspaceId: string,
  { words, courtesies, limit, after }: UngroupedQuery,
): Promise<EvidenceRow[]> {
  const said = words.map((word) => sql`and strpos(lower(item.text), lower(${word})) > 0`)
  const { rows } = await sql<Omit<EvidenceRow, 'text'>>`
    select ${evidenceColumns}, item.text as message
    from (
      select * from statement s where ${free(workspaceId, courtesies, after)}
      ${newestFirst} limit ${words.length > 0 ? LOOKED_AT : limit + 1}
    ) s
    cross join lateral (
      select * from feedback_item where workspace_id = ${workspaceId} and id = s.item_id offset 0
    ) item
    join connection on connection.workspace_id = ${workspaceId} and connection.id = item.connection_id
    where true ${sql.join(said, sql` `)}
    ${newestFirst} limit ${limit + 1}`.execute(tx)
  return rows.map(withText)
}

/** Where a search came to that found no more on its way; null: to the end. */
export async function lastLookedAt(
  tx: Tx,
  workspaceId: string,
  courtesies: boolean,
  after: EvidencePlace | null,
): Promise<EvidencePlace | null> {
  const { rows } = await sql<EvidencePlace>`
    select s.said_at as "saidAt", s.item_id as "itemId", s.number from statement s
    where ${free(workspaceId, courtesies, after)} ${newestFirst} offset ${LOOKED_AT - 1} limit 1`.execute(tx)
  return rows[0] ?? null
}
