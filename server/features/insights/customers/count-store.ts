import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { customersView, feedbackCustomersView } from '../../customers/index.ts'

/**
 * Brings the mentions by customer of these insights up to date from what changed since the last time, and their numbers of customers and revenue with
 * them. Returns those whose counts have changed. Call under `lockVersion`. A mention by a customer who is known there costs the same
 * in an insight of any size.
 */
export async function recountCustomers(
  tx: Tx,
  workspaceId: string,
  numbers: readonly number[],
  revision: number,
): Promise<number[]> {
  if (numbers.length === 0) return []
  const { rows } = await sql<{ number: number }>`
    with change as (
      delete from customer_change where workspace_id = ${workspaceId} and issue_number = any(${[...numbers]}::int[])
      returning issue_number, customer_id, mentions
    ), net as (
      select issue_number, customer_id, sum(mentions)::int as mentions from change group by 1, 2 having sum(mentions) <> 0
    ), stored as (
      insert into insight_customer as stored (workspace_id, issue_number, customer_id, mentions)
      select ${workspaceId}::uuid, issue_number, customer_id, mentions from net order by 2, 3
      on conflict (workspace_id, issue_number, customer_id) do update set mentions = stored.mentions + excluded.mentions
      returning issue_number, customer_id, mentions
    )
    select issue_number as number from (
      select issue_number, customer_id, sum(after) as after, sum(gained) as gained from (
        select issue_number, customer_id, mentions as after, 0 as gained from stored
        union all
        select issue_number, customer_id, 0, mentions from net
      ) both_sides group by 1, 2
    ) changed where (after > 0) <> (after - gained > 0)
    union
    select issue_number from change where mentions = 0`.execute(tx)
  return storeCustomerCounts(
    tx,
    workspaceId,
    rows.map(({ number }) => number),
    revision,
  )
}

async function storeCustomerCounts(
  tx: Tx,
  workspaceId: string,
  numbers: readonly number[],
  revision: number,
): Promise<number[]> {
  if (numbers.length === 0) return []
  await sql`
    delete from insight_customer
    where workspace_id = ${workspaceId} and issue_number = any(${[...numbers]}::int[]) and mentions = 0`.execute(tx)
  const { rows } = await sql<{ number: number }>`
    with counted as (
      select touched.number, count(said.customer_id)::int as customers, sum(customer.revenue) as revenue
      from unnest(${[...numbers]}::int[]) as touched (number)
      left join insight_customer said
        on said.workspace_id = ${workspaceId} and said.issue_number = touched.number and said.mentions > 0
      left join ${customersView} customer on customer.workspace_id = ${workspaceId} and customer.id = said.customer_id
      group by 1
    )
    update insight set customer_count = counted.customers, revenue = counted.revenue, revision = ${revision}::bigint
    from counted
    where insight.workspace_id = ${workspaceId} and insight.issue_number = counted.number
      and (insight.customer_count, insight.revenue) is distinct from (counted.customers, counted.revenue)
    returning insight.issue_number as number`.execute(tx)
  return rows.map(({ number }) => number)
}

/** Up to `limit` insights whose customers changed since they were counted. */
export async function readUncounted(tx: Tx, workspaceId: string, limit: number): Promise<number[]> {
  const { rows } = await sql<{ number: number }>`
    select distinct issue_number as number from customer_change
    where workspace_id = ${workspaceId} and issue_number is not null order by 1 limit ${limit}`.execute(tx)
  return rows.map(({ number }) => number)
}

/** Customers that lost messages since this was called last. */
export async function takeLeft(tx: Tx, workspaceId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with taken as (
      delete from customer_change where workspace_id = ${workspaceId} and issue_number is null returning customer_id
    )
    select distinct customer_id as id from taken`.execute(tx)
  return rows.map(({ id }) => id)
}

const ofInsight = (workspaceId: string, issueNumber: number) =>
  sql`workspace_id = ${workspaceId} and issue_number = ${issueNumber}`

/** By how much the mentions of an insight by each customer are too few (or, below zero, too many), with what waits to be added. */
export function customerDifferences(workspaceId: string, issueNumber: number) {
  const own = ofInsight(workspaceId, issueNumber)
  return sql`(
    select customer_id, sum(mentions)::int as mentions from (
      select said.customer_id, 1 as mentions
      from statement s join ${feedbackCustomersView} said on said.workspace_id = ${workspaceId} and said.item_id = s.item_id
      where s.workspace_id = ${workspaceId} and s.issue_number = ${issueNumber}
      union all select customer_id, -mentions from insight_customer where ${own}
      union all select customer_id, -mentions from customer_change where ${own}
    ) one group by 1 having sum(mentions) <> 0)`
}

/** Makes the mentions by customer of an insight those that there are. Call under `lockVersion`, with a raised revision. */
export async function repairCustomers(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  revision: number,
): Promise<void> {
  await sql`
    insert into customer_change (workspace_id, issue_number, customer_id, mentions)
    select ${workspaceId}::uuid, ${issueNumber}::int, customer_id, mentions
    from ${customerDifferences(workspaceId, issueNumber)} difference`.execute(tx)
  await recountCustomers(tx, workspaceId, [issueNumber], revision)
  await storeCustomerCounts(tx, workspaceId, [issueNumber], revision)
}
