import { REVENUE_BANDS } from '@groundswell/contract/reports.ts'
import { sql } from 'kysely'
import { connectionsView } from '../../connections/index.ts'
import { customersView, feedbackCustomersView } from '../../customers/index.ts'
import { feedbackItemsView } from '../../feedback/index.ts'
import { numberArray } from '../array-literal.ts'

/**
 * What mentions are divided by where that is not a matter of their insights: `key` of a row of `statement` with these joins; null: not known. `name`: in
 * `report_day`. `values`: of an attribute, whose other keys there are those of other attributes.
 */
export type Dimension = { name: string; key: Sql; joins: Sql; values?: readonly number[] }
/** A part of a query. */
export type Sql = ReturnType<typeof sql>

/** All mentions together. */
export const allDimension: Dimension = { name: 'all', key: sql`null::text`, joins: sql`` }

/** By kind; mentions that only agree with what they reply to have no kind of their own. */
export const kindDimension: Dimension = {
  name: 'kind',
  key: sql`nullif(counted_kind(feedback_kind, issue_number, reason), 'agrees')`,
  joins: sql``,
}

/** By the connector that each mention came from. */
export const sourceDimension = (workspaceId: string): Dimension => ({
  name: 'source',
  key: sql`connection.connector`,
  joins: sql`
    join ${feedbackItemsView} item on item.workspace_id = ${workspaceId} and item.id = statement.item_id
    join ${connectionsView} connection on connection.workspace_id = ${workspaceId} and connection.id = item.connection_id`,
})

/** The attributes by which customers are grouped. */
export type Segment = 'plan' | 'region' | 'revenue'

const bands = numberArray([...REVENUE_BANDS])
/** The segment of a row of `customer`; null: not known. Of its revenue, the number of a band. */
export const segmentKeys: Readonly<Record<Segment, Sql>> = {
  plan: sql`nullif(btrim(customer.plan), '')`,
  region: sql`nullif(btrim(customer.region), '')`,
  revenue: sql`(${bands}::int[])[width_bucket(customer.revenue, ${bands}::float8[])]::text`,
}

/** The customer behind each mention, as `customer`. */
export const segmentJoins = (workspaceId: string) => sql`
    left join ${feedbackCustomersView} said on said.workspace_id = ${workspaceId} and said.item_id = statement.item_id
    left join ${customersView} customer on customer.workspace_id = ${workspaceId} and customer.id = said.customer_id`

/** By an attribute that the customers behind the mentions have now. */
export const segmentDimension = (workspaceId: string, segment: Segment): Dimension => ({
  name: segment,
  key: segmentKeys[segment],
  joins: segmentJoins(workspaceId),
})

/** The values of the attributes of each mention's message, as `own`. */
export const attributeJoin = (workspaceId: string) =>
  sql`left join feedback_attribute own on own.workspace_id = ${workspaceId} and own.item_id = statement.item_id`

/** By the value that the messages of the mentions have of an attribute, as the text of its id. `ids`: of its values. */
export const attributeDimension = (workspaceId: string, ids: readonly number[]): Dimension => ({
  name: 'attribute',
  values: ids,
  key: sql`(select value_id from unnest(own.value_ids) value_id where value_id = any(${numberArray(ids)}::int[]) limit 1)::text`,
  joins: attributeJoin(workspaceId),
})
