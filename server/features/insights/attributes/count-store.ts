import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { numberArray } from '../array-literal.ts'
import { deleteValues } from './value-store.ts'

/**
 * Brings the mentions by value of these insights up to date from what changed since the last time. Call under `lockVersion`. A mention costs the same
 * in an insight of any size.
 */
export async function recountAttributes(tx: Tx, workspaceId: string, numbers: readonly number[]): Promise<void> {
  if (numbers.length === 0) return
  const { rows } = await sql<{ number: number }>`
    with change as (
      delete from attribute_change
      where workspace_id = ${workspaceId} and issue_number = any(${numberArray(numbers)}::int[])
      returning issue_number, value_id, amount
    ), stored as (
      insert into insight_attribute as stored (workspace_id, issue_number, value_id, mentions)
      select ${workspaceId}::uuid, issue_number, value_id, sum(amount) from change
      group by 2, 3 having sum(amount) <> 0 order by 2, 3
      on conflict (workspace_id, issue_number, value_id) do update set mentions = stored.mentions + excluded.mentions
      returning issue_number, mentions
    )
    select distinct issue_number as number from stored where mentions = 0`.execute(tx)
  if (rows.length === 0) return
  await sql`
    delete from insight_attribute
    where workspace_id = ${workspaceId} and issue_number = any(${numberArray(rows.map(({ number }) => number))}::int[])
      and mentions = 0`.execute(tx)
}

/** Up to `limit` insights whose mentions by value changed since they were counted. */
export async function readUncounted(tx: Tx, workspaceId: string, limit: number): Promise<number[]> {
  const { rows } = await sql<{ number: number }>`
    select distinct issue_number as number from attribute_change
    where workspace_id = ${workspaceId} and issue_number is not null order by 1 limit ${limit}`.execute(tx)
  return rows.map(({ number }) => number)
}

/** Brings the messages by value up to date, and deletes the values that no message has any more. Call under `lockVersion`. */
export async function recountMessages(tx: Tx, workspaceId: string): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    with change as (
      delete from attribute_change where workspace_id = ${workspaceId} and issue_number is null returning value_id, amount
    ), stored as (
      insert into attribute_total as stored (workspace_id, value_id, messages)
      select ${workspaceId}::uuid, value_id, sum(amount) from change group by 2 having sum(amount) <> 0 order by 2
      on conflict (workspace_id, value_id) do update set messages = stored.messages + excluded.messages
      returning value_id, messages
    )
    select value_id as id from stored where messages = 0
    union
    select value_id from change group by 1
    having sum(amount) = 0 and not exists (
      select from attribute_total total
      where total.workspace_id = ${workspaceId} and total.value_id = change.value_id and total.messages > 0)`.execute(
    tx,
  )
  await deleteValues(
    tx,
    workspaceId,
    rows.map(({ id }) => id),
  )
}

/** By how much the mentions of an insight by each value are too few (or, below zero, too many), with what waits to be added. */
export function attributeDifferences(workspaceId: string, issueNumber: number) {
  const own = sql`workspace_id = ${workspaceId} and issue_number = ${issueNumber}`
  return sql`(
    select value_id, sum(mentions)::int as mentions from (
      select value_id, 1 as mentions
      from statement s
      join feedback_attribute said on said.workspace_id = ${workspaceId} and said.item_id = s.item_id, unnest(value_ids) value_id
      where s.workspace_id = ${workspaceId} and s.issue_number = ${issueNumber}
      union all select value_id, -mentions from insight_attribute where ${own}
      union all select value_id, -amount from attribute_change where ${own}
    ) one group by 1 having sum(mentions) <> 0)`
}

/** Makes the mentions by value of an insight those that there are. Call under `lockVersion`. */
export async function repairAttributes(tx: Tx, workspaceId: string, issueNumber: number): Promise<void> {
  await sql`
    insert into attribute_change (workspace_id, issue_number, value_id, amount)
    select ${workspaceId}::uuid, ${issueNumber}::int, value_id, mentions
    from ${attributeDifferences(workspaceId, issueNumber)} difference`.execute(tx)
  await recountAttributes(tx, workspaceId, [issueNumber])
}
