import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'

/** A stored view. */
export type ViewRow = {
  id: string
  accountId: string
  name: string
  query: string
  shared: boolean
  updatedAt: Date
}

const columns = sql`id, account_id as "accountId", name, query, shared, updated_at as "updatedAt"`

/** The views of a workspace that a person sees, by name. */
export async function viewsFor(tx: Tx, workspaceId: string, accountId: string): Promise<ViewRow[]> {
  const { rows } = await sql<ViewRow>`
    select ${columns} from saved_view where workspace_id = ${workspaceId} and (shared or account_id = ${accountId})
    order by lower(name), id`.execute(tx)
  return rows
}

/** A view that a person sees; null when there is none. */
export async function findView(tx: Tx, workspaceId: string, accountId: string, id: string): Promise<ViewRow | null> {
  const { rows } = await sql<ViewRow>`
    select ${columns} from saved_view
    where workspace_id = ${workspaceId} and id = ${id} and (shared or account_id = ${accountId})`.execute(tx)
  return rows[0] ?? null
}

/**
 * One transaction at a time adds or renames views of a person, until it ends: what it counts and which names it finds taken stay true. What is read
 * afterwards is current.
 */
export async function lockViews(tx: Tx, workspaceId: string, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`views ${workspaceId} ${accountId}`}, 0))`.execute(tx)
}

/** Whether a person has another view with this name. The transaction must hold the lock of that person's views. */
export async function isNameTaken(
  tx: Tx,
  workspaceId: string,
  accountId: string,
  name: string,
  except: string | null,
): Promise<boolean> {
  const { rows } = await sql`
    select from saved_view where workspace_id = ${workspaceId} and account_id = ${accountId} and lower(name) = lower(${name})
      and id is distinct from ${except}::uuid`.execute(tx)
  return rows.length > 0
}

/** Stores a view and returns its id; null when the person has `max` already. The transaction must hold the lock of that person's views. */
export async function insertView(
  tx: Tx,
  workspaceId: string,
  view: Omit<ViewRow, 'id'>,
  max: number,
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    insert into saved_view (workspace_id, account_id, name, query, shared, updated_at)
    select ${workspaceId}, ${view.accountId}, ${view.name}, ${view.query}, ${view.shared}, ${view.updatedAt}::timestamptz
    where (select count(*) from saved_view where workspace_id = ${workspaceId} and account_id = ${view.accountId}) < ${max}
    returning id`.execute(tx)
  return rows[0]?.id ?? null
}

/** Changes a view. */
export async function writeView(
  tx: Tx,
  workspaceId: string,
  { id, name, query, shared, updatedAt }: Omit<ViewRow, 'accountId'>,
): Promise<void> {
  await sql`
    update saved_view set name = ${name}, query = ${query}, shared = ${shared}, updated_at = ${updatedAt}
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx)
}

/** Deletes a view of a person. False when there is none. */
export async function deleteOwnView(tx: Tx, workspaceId: string, accountId: string, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from saved_view where workspace_id = ${workspaceId} and id = ${id} and account_id = ${accountId}`.execute(tx)
  return numAffectedRows === 1n
}
