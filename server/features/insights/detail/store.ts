import type { InsightEvent } from '@groundswell/contract/insights/insight-detail.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { connectionsView } from '../../connections/index.ts'
import { feedbackCustomersView } from '../../customers/index.ts'
import { feedbackItemsView, isInConversation } from '../../feedback/index.ts'
import { type EvidencePlace, type EvidenceRow, evidenceColumns, olderThan, withText } from '../evidence-store.ts'
import { described, isNameGuessed } from '../shown-store.ts'

/** A row of `insight_event`; the trigger `changed_insight` writes most of them. */
export type EventRow = {
  at: Date
  event: InsightEvent['event']
  detail: {
    from?: string | number
    to?: string | null
    into?: number
    other?: number
    count?: number
    name?: string
    tag?: string
    by?: string
  }
}

/** The length of a bar of the timeline. */
export type TimelineUnit = 'day' | 'week' | 'month'

/** Whether the name that an insight is shown with is a guess, see `isNameGuessed`. */
export async function readIsNameGuessed(tx: Tx, workspaceId: string, issueNumber: number): Promise<boolean> {
  const { rows } = await sql<{ guessed: boolean }>`
    select ${isNameGuessed} as guessed from insight ${described}
    where insight.workspace_id = ${workspaceId} and insight.issue_number = ${issueNumber}`.execute(tx)
  return rows[0]?.guessed ?? false
}

/**
 * Known authors with their numbers of mentions, most first, the first `limit` of `total`. `unnamed`: how many mentions have no author.
 */
export async function readPeople(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  limit: number,
): Promise<{ people: { name: string; mentions: number }[]; total: number; unnamed: number }> {
  const { rows } = await sql<{ name: string | null; mentions: number; total: number }>`
    select item.author as name, count(*)::int as mentions, count(item.author) over ()::int as total
    from statement s join ${feedbackItemsView} item on item.workspace_id = ${workspaceId} and item.id = s.item_id
    where s.workspace_id = ${workspaceId} and s.issue_number = ${issueNumber}
    group by item.author order by item.author is not null, count(*) desc, item.author limit ${limit + 1}`.execute(tx)
  const people = rows.flatMap(({ name, mentions }) => (name === null ? [] : [{ name, mentions }]))
  return {
    people: people.slice(0, limit),
    total: rows[0]?.total ?? 0,
    unnamed: rows.find(({ name }) => name === null)?.mentions ?? 0,
  }
}

/** Where mentions came from: a connector and, if known, the place within it. The first `limit` of `total`. */
export async function readSources(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  limit: number,
): Promise<{ sources: { source: string; place: string | null; mentions: number }[]; total: number }> {
  const { rows } = await sql<{ source: string; place: string | null; mentions: number; total: number }>`
    select connection.connector as source, item.place, count(*)::int as mentions, count(*) over ()::int as total
    from statement s
    join ${feedbackItemsView} item on item.workspace_id = ${workspaceId} and item.id = s.item_id
    join ${connectionsView} connection on connection.workspace_id = ${workspaceId} and connection.id = item.connection_id
    where s.workspace_id = ${workspaceId} and s.issue_number = ${issueNumber}
    group by 1, 2 order by count(*) desc, 1, 2 limit ${limit}`.execute(tx)
  return {
    sources: rows.map(({ source, place, mentions }) => ({ source, place, mentions })),
    total: rows[0]?.total ?? 0,
  }
}

/**
 * Mentions by day, week or month in a time zone, oldest first, each period by the midnight in UTC of its first day. Periods without mentions are
 * left out.
 */
export async function readTimes(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  unit: TimelineUnit,
  zone: string,
): Promise<{ from: Date; mentions: number }[]> {
  const { rows } = await sql<{ from: Date; mentions: number }>`
    select date_trunc(${unit}, said_at at time zone case when date_only then 'UTC' else ${zone}::text end) at time zone 'UTC' as from,
      count(*)::int as mentions
    from statement
    where workspace_id = ${workspaceId} and issue_number = ${issueNumber}
    group by 1 order by 1`.execute(tx)
  return rows
}

/** What happened to an insight, newest first. */
export async function readEvents(tx: Tx, workspaceId: string, issueNumber: number, limit: number): Promise<EventRow[]> {
  const { rows } = await sql<EventRow>`
    select at, event, detail from insight_event
    where workspace_id = ${workspaceId} and issue_number = ${issueNumber}
    order by at desc limit ${limit}`.execute(tx)
  return rows
}

/** When an insight was created and what became of it. Null when there never was one with this number. */
export async function readOrigin(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
): Promise<{ createdAt: Date; mergedInto: number | null; deleted: boolean } | null> {
  const { rows } = await sql<{ createdAt: Date; mergedInto: number | null; deleted: boolean }>`
    select created_at as "createdAt", merged_into as "mergedInto", deleted_at is not null as deleted from insight
    where workspace_id = ${workspaceId} and issue_number = ${issueNumber}`.execute(tx)
  return rows[0] ?? null
}

const ofCustomer = (workspaceId: string, customer: string) => sql`
    join ${feedbackCustomersView} said on said.workspace_id = ${workspaceId} and said.item_id = s.item_id and said.customer_id = ${customer}::uuid`

/** A page of the mentions of one insight, newest first, with whole messages, after the one given; with `customer`, only those by it. */
export async function readEvidencePage(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  { after, limit, customer }: { after: EvidencePlace | null; limit: number; customer?: string | undefined },
): Promise<EvidenceRow[]> {
  const { rows } = await sql<Omit<EvidenceRow, 'text'>>`
    select ${evidenceColumns}, item.text as message, ${isInConversation} as "inThread", item.has_original as "hasOriginal"
    from statement s
    join ${feedbackItemsView} item on item.workspace_id = ${workspaceId} and item.id = s.item_id
    join ${connectionsView} connection on connection.workspace_id = ${workspaceId} and connection.id = item.connection_id
    ${customer === undefined ? sql`` : ofCustomer(workspaceId, customer)}
    where s.workspace_id = ${workspaceId} and s.issue_number = ${issueNumber} ${after ? olderThan(after) : sql``}
    order by s.said_at desc, s.item_id desc, s.number desc limit ${limit}`.execute(tx)
  return rows.map(withText)
}

/** Whether the mention is in the insight now. */
export async function holdsMention(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  itemId: number,
  number: number,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from statement
    where workspace_id = ${workspaceId} and item_id = ${itemId}::bigint and number = ${number}
      and issue_number = ${issueNumber}`.execute(tx)
  return rows.length > 0
}
