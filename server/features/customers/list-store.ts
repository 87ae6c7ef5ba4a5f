import type { CustomerColumns } from '@groundswell/contract/customers.ts'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'
import { restartFill } from './due-store.ts'
import { nameKey } from './identify.ts'
import { lockCustomers } from './lock-store.ts'
import type { Listed } from './read-list.ts'

type Keyed = Listed & { key: string }

/** Customers of one statement: what prepares them for it keeps the event loop busy for some milliseconds. */
const CHUNK = 1_000

/** The customers of a list with their keys, in chunks; the first if several have the same key. */
async function* keyedChunks(tx: Tx, workspaceId: string, listed: readonly Listed[]): AsyncGenerator<Keyed[]> {
  const seen = new Set<string>()
  for (let at = 0; at < listed.length; at += CHUNK) {
    const keyed = await withKeys(tx, workspaceId, listed.slice(at, at + CHUNK))
    const fresh = keyed.filter(({ key }) => !seen.has(key))
    for (const { key } of fresh) seen.add(key)
    yield fresh
  }
}

/** The key of each customer of a list: its domain, or the one that was listed under its name, else its name. */
async function withKeys(tx: Tx, workspaceId: string, listed: readonly Listed[]): Promise<Keyed[]> {
  const nameless = listed.filter(({ domain }) => domain === null).map(({ name }) => nameKey(name))
  const { rows } = await sql<{ name: string; key: string }>`
    select name_key as name, min(key) as key from customer
    where workspace_id = ${workspaceId} and listed and name_key = any(${nameless}::text[]) group by 1`.execute(tx)
  const keys = new Map(rows.map(({ name, key }) => [name, key]))
  const named = listed.map((one) => ({
    ...one,
    key: one.domain ?? keys.get(nameKey(one.name)) ?? `name:${nameKey(one.name)}`,
  }))
  return [...new Map(named.toReversed().map((one) => [one.key, one])).values()]
}

/** How many customers of a list are new, and how many are known. */
export async function countKnown(
  tx: Tx,
  workspaceId: string,
  listed: readonly Listed[],
): Promise<{ added: number; known: number }> {
  let [all, known] = [0, 0]
  for await (const chunk of keyedChunks(tx, workspaceId, listed)) {
    const keys = chunk.map(({ key }) => key)
    const { rows } = await sql<{ known: number }>`
      select count(*)::int as known from customer
      where workspace_id = ${workspaceId} and key = any(${keys}::text[])`.execute(tx)
    all += keys.length
    known += rows[0]?.known ?? 0
  }
  return { added: all - known, known }
}

/**
 * What a list says about a customer replaces what messages told, and what an earlier list said in the same columns. Then all messages are looked at
 * again.
 */
export async function storeList(
  tx: Tx,
  workspaceId: string,
  listed: readonly Listed[],
  columns: CustomerColumns,
): Promise<{ added: number; known: number }> {
  await lockCustomers(tx, workspaceId)
  const given = (['plan', 'revenue', 'region'] as const).filter((field) => columns[field] !== undefined)
  const hasOthers = listed.some(({ attributes }) => Object.keys(attributes).length > 0)
  const value = (field: 'plan' | 'revenue' | 'region') =>
    given.includes(field)
      ? sql`case when ${sql.ref(`excluded.${field}`)} is not null or ${field} = any(stored.listed_fields)
          then ${sql.ref(`excluded.${field}`)} else ${sql.ref(`stored.${field}`)} end`
      : sql.ref(`stored.${field}`)
  // A list without names does not rename anyone.
  const named = (field: string) =>
    sql`case when excluded.name = excluded.key then ${sql.ref(`stored.${field}`)} else ${sql.ref(`excluded.${field}`)} end`
  const counts = { added: 0, known: 0 }
  for await (const rows of keyedChunks(tx, workspaceId, listed)) {
    const stored = await sql<{ added: boolean }>`
      insert into customer as stored (workspace_id, key, name, name_key, listed, plan, revenue, region, attributes, listed_fields)
      select ${workspaceId}::uuid, key, name, name_key, true, plan, revenue, region, attributes, array_remove(array[
          case when plan is not null then 'plan' end, case when revenue is not null then 'revenue' end,
          case when region is not null then 'region' end], null)
      from unnest(${rows.map(({ key }) => key)}::text[], ${rows.map(({ name }) => name)}::text[],
        ${rows.map(({ name }) => nameKey(name))}::text[], ${rows.map(({ plan }) => plan)}::text[],
        ${rows.map(({ revenue }) => revenue)}::double precision[], ${rows.map(({ region }) => region)}::text[],
        ${rows.map(({ attributes }) => JSON.stringify(attributes))}::jsonb[])
        as input (key, name, name_key, plan, revenue, region, attributes)
      order by key
      on conflict (workspace_id, key) do update
      set listed = true, name = ${named('name')}, name_key = ${named('name_key')}, plan = ${value('plan')}, revenue = ${value('revenue')},
        region = ${value('region')}, attributes = ${hasOthers ? sql`excluded.attributes` : sql`stored.attributes`},
        listed_fields = array(
          select field from unnest(stored.listed_fields) field where field <> all(${given}::text[])
          union select unnest(excluded.listed_fields))
      returning (xmax = 0) as added`.execute(tx)
    const added = stored.rows.filter((row) => row.added).length
    counts.added += added
    counts.known += stored.rows.length - added
  }
  await restartFill(tx, workspaceId)
  return counts
}

/** Removes a customer from the list, with what the list said; a customer without messages is deleted. False: there is no such customer. */
export async function takeOffList(tx: Tx, workspaceId: string, id: string): Promise<boolean> {
  await lockCustomers(tx, workspaceId)
  const { numAffectedRows } = await sql`
    update customer set listed = false, listed_fields = '{}', attributes = '{}', told_at = null,
      plan = case when 'plan' = any(listed_fields) then null else plan end,
      revenue = case when 'revenue' = any(listed_fields) then null else revenue end,
      region = case when 'region' = any(listed_fields) then null else region end
    where workspace_id = ${workspaceId} and id = ${id}::uuid`.execute(tx)
  if (numAffectedRows === 0n) return false
  await sql`
    delete from customer where workspace_id = ${workspaceId} and id = ${id}::uuid
      and not exists (select from feedback_customer said where said.workspace_id = ${workspaceId} and said.customer_id = customer.id)`.execute(
    tx,
  )
  await restartFill(tx, workspaceId)
  return true
}
