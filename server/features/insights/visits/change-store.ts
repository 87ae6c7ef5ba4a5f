import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { customersView } from '../../customers/index.ts'
import { feedbackItemsView } from '../../feedback/index.ts'

const shown = sql`insight.deleted_at is null and insight.ended_at is null and not insight.hidden`

/** The shown insights that were made after a time, newest first. */
export async function readNew(tx: Tx, workspaceId: string, since: Date): Promise<number[]> {
  const { rows } = await sql<{ number: number }>`
    select issue_number as number from insight
    where workspace_id = ${workspaceId} and ${shown} and created_at > ${since}::timestamptz order by issue_number desc`.execute(
    tx,
  )
  return rows.map((row) => row.number)
}

/** The shown insights that were made after a time and mentioned by these customers, with the names of those who did. */
export async function readNewOfCustomers(
  tx: Tx,
  workspaceId: string,
  since: Date,
  customers: readonly string[],
): Promise<{ issueNumber: number; names: string }[]> {
  const { rows } = await sql<{ issueNumber: number; names: string }>`
    select insight.issue_number as "issueNumber", string_agg(customer.name, ', ' order by customer.name) as names
    from insight
    join insight_customer said on said.workspace_id = ${workspaceId} and said.issue_number = insight.issue_number
      and said.mentions > 0 and said.customer_id = any(${[...customers]}::uuid[])
    join ${customersView} customer on customer.workspace_id = ${workspaceId} and customer.id = said.customer_id
    where insight.workspace_id = ${workspaceId} and ${shown} and insight.created_at > ${since}::timestamptz
    group by insight.issue_number order by insight.issue_number desc`.execute(tx)
  return rows
}

/** By issue number: how many mentions that had arrived before `since` were made in the given span before it. */
export async function countBefore(
  tx: Tx,
  workspaceId: string,
  numbers: readonly number[],
  { since, from }: { since: Date; from: Date },
): Promise<Map<number, number>> {
  const { rows } = await sql<{ number: number; count: number }>`
    select s.issue_number as number, count(*)::int as count
    from statement s join ${feedbackItemsView} item on item.workspace_id = ${workspaceId} and item.id = s.item_id
    where s.workspace_id = ${workspaceId} and s.issue_number = any(${[...numbers]}::int[])
      and s.said_at > ${from}::timestamptz and s.said_at <= ${since}::timestamptz and item.stored_at <= ${since}::timestamptz
    group by 1`.execute(tx)
  return new Map(rows.map((row) => [row.number, row.count]))
}

/**
 * The shown insights, made before `since`, whose newest mention became `days` old between `from` and `until`, and that had a mention in each
 * of the `weeks` weeks up to it. What is resolved or ignored is meant to be quiet.
 */
export async function readQuiet(
  tx: Tx,
  workspaceId: string,
  { since, from, until, days, weeks }: { since: Date; from: Date; until: Date; days: number; weeks: number },
): Promise<number[]> {
  const { rows } = await sql<{ number: number }>`
    select issue_number as number from insight
    where workspace_id = ${workspaceId} and ${shown} and status not in ('resolved', 'ignored')
      and created_at <= ${since}::timestamptz
      and last_seen > ${from}::timestamptz - make_interval(days => ${days}::int)
      and last_seen <= ${until}::timestamptz - make_interval(days => ${days}::int)
      and ${weeks}::int = (
        select count(distinct floor(extract(epoch from insight.last_seen - s.said_at) / 604800)) from statement s
        where s.workspace_id = ${workspaceId} and s.issue_number = insight.issue_number
          and s.said_at > insight.last_seen - make_interval(weeks => ${weeks}::int))
    order by last_seen desc, issue_number desc`.execute(tx)
  return rows.map((row) => row.number)
}

/** The shown insights, made before a time, that got their status, resolved or regressed, after it, latest first. */
export async function readStatusChanges(
  tx: Tx,
  workspaceId: string,
  since: Date,
): Promise<{ issueNumber: number; status: 'resolved' | 'regressed' }[]> {
  const { rows } = await sql<{ issueNumber: number; status: 'resolved' | 'regressed' }>`
    select insight.issue_number as "issueNumber", insight.status
    from insight join lateral (
      select max(at) as at from insight_event one
      where one.workspace_id = ${workspaceId} and one.issue_number = insight.issue_number and one.at > ${since}::timestamptz
        and one.event = 'status' and one.detail->>'to' = insight.status
    ) changed on changed.at is not null
    where insight.workspace_id = ${workspaceId} and ${shown} and insight.status in ('resolved', 'regressed')
      and insight.created_at <= ${since}::timestamptz
    order by changed.at desc, insight.issue_number desc`.execute(tx)
  return rows
}
