import type { CustomerOrder } from '@groundswell/contract/customers.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { customersView, feedbackCustomersView } from '../../customers/index.ts'

/** A customer with its number of messages, and of shown insights with mentions by it. */
export type CustomerRow = {
  id: string
  key: string
  name: string
  plan: string | null
  revenue: number | null
  region: string | null
  listed: boolean
  attributes: Record<string, string>
  messages: number
  insights: number
}

const columns = sql`customer.id, customer.key, customer.name, customer.plan, customer.revenue, customer.region, customer.listed,
  customer.attributes, coalesce(said.messages, 0) as messages, coalesce(mentioned.insights, 0) as insights`

const orders: Readonly<Record<CustomerOrder, ReturnType<typeof sql>>> = {
  messages: sql`messages desc, lower(customer.name), customer.key`,
  insights: sql`insights desc, messages desc, lower(customer.name), customer.key`,
  revenue: sql`customer.revenue desc nulls last, lower(customer.name), customer.key`,
  name: sql`lower(customer.name), customer.key`,
}

const isShown = sql`insight.deleted_at is null and insight.ended_at is null and not insight.hidden`

function source(workspaceId: string, only: string | null) {
  const one = (column: string) => (only === null ? sql`` : sql`and ${sql.ref(column)} = ${only}::uuid`)
  return sql`
    from ${customersView} customer
    left join (
      select customer_id, count(*)::int as messages from ${feedbackCustomersView} of
      where workspace_id = ${workspaceId} ${one('customer_id')} group by 1
    ) said on said.customer_id = customer.id
    left join (
      select customer_id, count(*)::int as insights
      from insight_customer
      join insight on insight.workspace_id = ${workspaceId} and insight.issue_number = insight_customer.issue_number and ${isShown}
      where insight_customer.workspace_id = ${workspaceId} and mentions > 0 ${one('customer_id')} group by 1
    ) mentioned on mentioned.customer_id = customer.id
    where customer.workspace_id = ${workspaceId} ${one('customer.id')}`
}

/** A page of customers whose name or domain has all of these words, folded, and how many there are. */
export async function readCustomers(
  tx: Tx,
  workspaceId: string,
  { words, order, offset, limit }: { words: readonly string[]; order: CustomerOrder; offset: number; limit: number },
): Promise<{ rows: CustomerRow[]; total: number }> {
  const has = words.map((word) => sql`and strpos(search_fold(customer.name || ' ' || customer.key), ${word}::text) > 0`)
  const matching = has.length === 0 ? sql`` : sql.join(has, sql` `)
  const { rows } = await sql<CustomerRow>`
    select ${columns} ${source(workspaceId, null)} ${matching}
    order by ${orders[order]} limit ${limit} offset ${offset}`.execute(tx)
  const counted = await sql<{ total: number }>`
    select count(*)::int as total from ${customersView} customer where workspace_id = ${workspaceId} ${matching}`.execute(
    tx,
  )
  return { rows, total: counted.rows[0]?.total ?? 0 }
}

/** One customer; null: there is no such one. */
export async function readCustomer(tx: Tx, workspaceId: string, id: string): Promise<CustomerRow | null> {
  const { rows } = await sql<CustomerRow>`select ${columns} ${source(workspaceId, id)}`.execute(tx)
  return rows[0] ?? null
}

/** The shown insights that a customer mentioned, those with most of its mentions first. */
export async function readInsightsOf(tx: Tx, workspaceId: string, id: string, limit: number): Promise<number[]> {
  const { rows } = await sql<{ number: number }>`
    select issue_number as number from insight_customer said
    join insight using (workspace_id, issue_number)
    where said.workspace_id = ${workspaceId} and said.customer_id = ${id}::uuid and said.mentions > 0 and ${isShown}
    order by said.mentions desc, issue_number limit ${limit}`.execute(tx)
  return rows.map(({ number }) => number)
}

/** A customer of an insight. */
export type NamedCustomer = { id: string; name: string; plan: string | null; revenue: number | null; mentions: number }

/** The largest customers of an insight: by revenue, then by mentions. */
export async function readLargestCustomers(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  limit: number,
): Promise<NamedCustomer[]> {
  const { rows } = await sql<NamedCustomer>`
    select customer.id, customer.name, customer.plan, customer.revenue, said.mentions
    from insight_customer said
    join ${customersView} customer on customer.workspace_id = ${workspaceId} and customer.id = said.customer_id
    where said.workspace_id = ${workspaceId} and said.issue_number = ${issueNumber} and said.mentions > 0
    order by customer.revenue desc nulls last, said.mentions desc, lower(customer.name), customer.key limit ${limit}`.execute(
    tx,
  )
  return rows
}
