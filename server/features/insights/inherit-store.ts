import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'
import { lastOf } from './merges.ts'

/**
 * What an insight takes over from one that was merged into it, unless it has its own. `columns`: of the table `insight`; the first one is
 * null where there is nothing to take over. `first`: the order of several, by `one`, the row of a merged insight, and `merge.number`.
 */
export type Inheritance = { columns: readonly [string, ...string[]]; first: RawBuilder<unknown> }

/** `next`: what each insight was merged into, possibly one that was merged itself. */
export async function inherit(
  tx: Tx,
  workspaceId: string,
  next: ReadonlyMap<number, number>,
  { columns, first }: Inheritance,
): Promise<void> {
  if (next.size === 0) return
  const key = sql.ref(columns[0])
  const { rows } = await sql<{ number: number }>`
    select issue_number as number from insight
    where workspace_id = ${workspaceId} and issue_number = any(${[...next.keys()]}::int[]) and ${key} is not null`.execute(
    tx,
  )
  if (rows.length === 0) return
  const from = rows.map(({ number }) => number)
  const into = from.map((number) => lastOf(next, number))
  const inherited = sql.join(columns.map((column) => sql`${sql.ref(column)} = ${sql.ref(`given.${column}`)}`))
  await sql`
    update insight set ${inherited}
    from (
      select distinct on (merge.into_number) merge.into_number, ${sql.join(columns.map((column) => sql.ref(`one.${column}`)))}
      from unnest(${from}::int[], ${into}::int[]) as merge (number, into_number)
      join insight one on one.workspace_id = ${workspaceId} and one.issue_number = merge.number
      order by merge.into_number, ${first}
    ) given
    where workspace_id = ${workspaceId} and issue_number = given.into_number
      and ${sql.ref(`insight.${columns[0]}`)} is null`.execute(tx)
}
