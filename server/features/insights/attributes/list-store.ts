import type { ChosenAttributes } from '@groundswell/contract/insights/attributes.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { numberArray, textArray } from '../array-literal.ts'
import { keyOf } from './worthy.ts'

/** A value of an attribute that messages have; null: further values of a name with too many. */
export type ValueRow = { nameKey: string; name: string; value: string | null; messages: number }

/** All values that messages have, with what waits to be added. */
export async function readValues(tx: Tx, workspaceId: string): Promise<ValueRow[]> {
  const { rows } = await sql<ValueRow>`
    select value.name_key as "nameKey", value.name, value.value, counted.messages
    from attribute_value value
    join (
      select value_id, sum(messages)::int as messages from (
        select value_id, messages from attribute_total where workspace_id = ${workspaceId}
        union all
        select value_id, amount from attribute_change where workspace_id = ${workspaceId} and issue_number is null
      ) one group by 1
    ) counted on counted.value_id = value.id
    where value.workspace_id = ${workspaceId} and counted.messages > 0
    order by value.id`.execute(tx)
  return rows
}

/** The shown insights in which one of each of these sets of values was mentioned, with what waits to be added. */
export async function readInsightsWith(
  tx: Tx,
  workspaceId: string,
  sets: readonly (readonly number[])[],
): Promise<number[]> {
  const has = sets.map(
    (values) => sql`
      and issue_number in (
        select issue_number from (
          select issue_number, value_id, mentions from insight_attribute
          where workspace_id = ${workspaceId} and value_id = any(${numberArray(values)}::int[])
          union all
          select issue_number, value_id, amount from attribute_change
          where workspace_id = ${workspaceId} and issue_number is not null and value_id = any(${numberArray(values)}::int[])
        ) one group by issue_number, value_id having sum(mentions) > 0
      )`,
  )
  const { rows } = await sql<{ number: number }>`
    select issue_number as number from insight
    where workspace_id = ${workspaceId} and deleted_at is null and ended_at is null and not hidden
      ${has.length === 0 ? sql`` : sql.join(has, sql` `)}
    order by issue_number`.execute(tx)
  return rows.map(({ number }) => number)
}

/** Whether the message of a mention has one of each of these sets of values, as a condition on a row with `item_id`. */
export function hasValues(workspaceId: string, sets: readonly (readonly number[])[]) {
  if (sets.length === 0) return sql`true`
  const each = sets.map((values) => sql`said.value_ids && ${numberArray(values)}::int[]`)
  return sql`exists (
    select from feedback_attribute said
    where said.workspace_id = ${workspaceId} and said.item_id = statement.item_id and ${sql.join(each, sql` and `)})`
}

/** Whether a message has one of the chosen values of each name, as a condition on a row `f` with `item_id`. */
export function hasChosen(workspaceId: string, chosen: ChosenAttributes) {
  const each = [...Map.groupBy(chosen, ([name]) => keyOf(name))].map(
    ([nameKey, same]) => sql`said.value_ids && array(
      select id from attribute_value
      where workspace_id = ${workspaceId} and name_key = ${nameKey} and value is not null
        and value_key = any(${textArray(same.flatMap(([, values]) => values.map(keyOf)))}::text[]))`,
  )
  return sql`exists (
    select from feedback_attribute said
    where said.workspace_id = ${workspaceId} and said.item_id = f.item_id and ${sql.join(each, sql` and `)})`
}
