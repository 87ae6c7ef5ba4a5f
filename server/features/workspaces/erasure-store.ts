import { sql } from 'kysely'
import { discardStalePlans } from '../../platform/db/stale-plans.ts'
import type { Tx } from '../../platform/db/tenant.ts'

/** Sign-ins belong to accounts, and are deleted with them. */
const OF_ACCOUNTS = 'session'

/** What one call of `eraseRows` may do. `keep`: tables that it leaves for a later call. `first`: tables that no other refers to, which it empties before all others. */
type Part = { limit: number; keep: readonly string[]; first?: readonly string[] }

/**
 * Deletes up to `limit` rows of a workspace and returns how many it deleted: fewer than `limit` when nothing is left to delete. The tables are
 * those of the catalogue with a `workspace_id`, so that no table is forgotten, and rows that refer to others go first. Entries of the audit
 * log, which the app may not delete, go with the row of the workspace. The transaction must be of that workspace.
 */
export async function eraseRows(tx: Tx, workspaceId: string, { limit, keep, first = [] }: Part): Promise<number> {
  const others = (await tenantTables(tx)).filter((table) => !keep.includes(table) && !first.includes(table))
  const tables = [...first, ...others]
  await discardStalePlans(tx, limit)
  let deleted = 0
  // A trigger may add rows to a table that was emptied before.
  for (let before = -1; before < deleted; ) {
    before = deleted
    for (const table of tables) {
      if (deleted >= limit) return deleted
      deleted += await eraseSome(tx, table, workspaceId, limit - deleted)
    }
  }
  return deleted
}

async function eraseSome(tx: Tx, table: string, workspaceId: string, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)}
    where ctid = any(array(select ctid from ${sql.table(table)} where workspace_id = ${workspaceId} limit ${limit}))
      and workspace_id = ${workspaceId}`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** The tables with rows of workspaces from which the app may delete, each before those that it refers to. */
async function tenantTables(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ name: string; refersTo: string[] }>`
    select class.relname as name, array(
        select target.relname::text from pg_constraint key join pg_class target on target.oid = key.confrelid
        where key.conrelid = class.oid and key.contype = 'f' and key.confrelid <> class.oid) as "refersTo"
    from pg_class class join pg_attribute a on a.attrelid = class.oid and a.attname = 'workspace_id' and not a.attisdropped
    where class.relnamespace = 'public'::regnamespace and class.relkind in ('r', 'p') and class.relname <> ${OF_ACCOUNTS}
      and has_table_privilege(class.oid, 'delete')
    order by class.relname`.execute(tx)
  const refersTo = new Map(rows.map((row) => [row.name, row.refersTo]))
  const referredFirst = new Set<string>()
  const visiting = new Set<string>()
  const visit = (name: string) => {
    if (!refersTo.has(name) || visiting.has(name)) return
    visiting.add(name)
    for (const target of refersTo.get(name) ?? []) visit(target)
    referredFirst.add(name)
  }
  for (const { name } of rows) visit(name)
  return [...referredFirst].toReversed()
}

/** Whether anyone is a member of the workspace. The transaction must be of that workspace. */
export async function hasMembers(tx: Tx, workspaceId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from member where workspace_id = ${workspaceId} limit 1`.execute(tx)
  return rows.length > 0
}
