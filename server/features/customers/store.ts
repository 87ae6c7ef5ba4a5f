import { sql } from 'kysely'
import { peopleHere } from '../../auth/index.ts'
import type { Tx } from '../../platform/db/tenant.ts'
import {
  type Identity,
  identify,
  type Known,
  mailDomain,
  nameKey,
  organisationOf,
  type Told,
  toldBy,
} from './identify.ts'
import { lockCustomers } from './lock-store.ts'

/** A grouped message, or one that is being grouped. */
export type Message = {
  id: number
  author: string | null
  attributes: Readonly<Record<string, string>>
  saidAt: Date
}

type Found = Identity & { told: Told; toldAt: Date }

/** The customers for queries of other features: `join ${customersView} customer on …`. */
export const customersView = sql`(
  select workspace_id, id, key, name, plan, revenue, region, attributes, listed from customer)`

/** The customer of each message, where it is known, for queries of other features. */
export const feedbackCustomersView = sql`(select workspace_id, item_id, customer_id from feedback_customer)`

/**
 * Stores the customers behind these messages, those that are new too, and what the messages tell about them. The caller holds the lock of the groups,
 * so that one transaction at a time does this in a workspace, and those of the messages.
 */
export async function assignCustomers(tx: Tx, workspaceId: string, messages: readonly Message[]): Promise<void> {
  if (messages.length === 0) return
  await lockCustomers(tx, workspaceId)
  const known = await readKnown(tx, workspaceId, messages)
  const found = new Map<string, Found>()
  const keys = new Map<number, string>()
  for (const message of messages.toSorted((a, b) => a.saidAt.getTime() - b.saidAt.getTime() || a.id - b.id)) {
    const identity = identify(message, known)
    if (identity === null) continue
    keys.set(message.id, identity.key)
    found.set(identity.key, withTold(found.get(identity.key) ?? identity, toldBy(message), message.saidAt))
  }
  const ids = await storeFound(tx, workspaceId, [...found.values()])
  await storeCustomersOf(
    tx,
    workspaceId,
    messages.map(({ id }) => ({ id, customer: ids.get(keys.get(id) ?? '') ?? null })),
  )
}

/** The later of two messages counts, field by field. */
function withTold(before: Identity & Partial<Found>, told: Told, toldAt: Date): Found {
  const { plan, revenue, region } = before.told ?? { plan: null, revenue: null, region: null }
  return {
    key: before.key,
    name: before.name,
    told: { plan: told.plan ?? plan, revenue: told.revenue ?? revenue, region: told.region ?? region },
    toldAt,
  }
}

/** What people specified that affects these messages. */
async function readKnown(tx: Tx, workspaceId: string, messages: readonly Message[]): Promise<Known> {
  const names = [...new Set(messages.flatMap((message) => nameKey(organisationOf(message) ?? '') || []))]
  const hasMail = messages.some(({ author }) => mailDomain(author) !== null)
  const keys = new Map<string, string>()
  if (names.length > 0) {
    const { rows } = await sql<{ name: string; key: string }>`
      select name_key as name, min(key) as key from customer
      where workspace_id = ${workspaceId} and listed and name_key = any(${names}::text[]) group by 1`.execute(tx)
    for (const { name, key } of rows) keys.set(name, key)
  }
  if (!hasMail) return { own: new Set(), listed: new Set(), keys }
  const { rows } = await sql<{ domain: string; listed: boolean }>`
    select domain, exists (
        select from customer where workspace_id = ${workspaceId} and key = domain and listed) as listed
    from (
      select distinct split_part(person.email, '@', 2) as domain from ${peopleHere} person
    ) own`.execute(tx)
  return {
    own: new Set(rows.map(({ domain }) => domain)),
    listed: new Set(rows.filter(({ listed }) => listed).map(({ domain }) => domain)),
    keys,
  }
}

/** Adds the customers that are new, brings the others up to date, and returns their ids by key. */
async function storeFound(tx: Tx, workspaceId: string, found: readonly Found[]): Promise<Map<string, string>> {
  if (found.length === 0) return new Map()
  const columns = sql`unnest(${found.map(({ key }) => key)}::text[], ${found.map(({ name }) => name)}::text[],
    ${found.map(({ name }) => nameKey(name))}::text[], ${found.map(({ told }) => told.plan)}::text[],
    ${found.map(({ told }) => told.revenue)}::double precision[], ${found.map(({ told }) => told.region)}::text[],
    ${found.map(({ toldAt }) => toldAt)}::timestamptz[]) as told (key, name, name_key, plan, revenue, region, told_at)`
  await sql`
    insert into customer (workspace_id, key, name, name_key)
    select ${workspaceId}::uuid, key, name, name_key from ${columns} order by key
    on conflict (workspace_id, key) do nothing`.execute(tx)
  // An older message only fills gaps. A list has the last word.
  const pick = (field: string) => {
    const [stored, told] = [sql.ref(`customer.${field}`), sql.ref(`told.${field}`)]
    return sql`case when ${field} = any(customer.listed_fields) then ${stored}
      when customer.told_at is null or told.told_at >= customer.told_at then coalesce(${told}, ${stored}) else coalesce(${stored}, ${told}) end`
  }
  const told = sql`told.plan is not null or told.revenue is not null or told.region is not null`
  const { rows } = await sql<{ key: string; id: string }>`
    with stored as (
      select customer.id, customer.key, ${pick('plan')} as plan, ${pick('revenue')} as revenue, ${pick('region')} as region,
        case when ${told} then greatest(customer.told_at, told.told_at) else customer.told_at end as told_at
      from ${columns} join customer on customer.workspace_id = ${workspaceId} and customer.key = told.key
    ), changed as (
      update customer set plan = stored.plan, revenue = stored.revenue, region = stored.region, told_at = stored.told_at
      from stored where customer.workspace_id = ${workspaceId} and customer.id = stored.id
        and (customer.plan, customer.revenue, customer.region, customer.told_at)
          is distinct from (stored.plan, stored.revenue, stored.region, stored.told_at)
    )
    select key, id from stored`.execute(tx)
  return new Map(rows.map(({ key, id }) => [key, id]))
}

async function storeCustomersOf(
  tx: Tx,
  workspaceId: string,
  messages: readonly { id: number; customer: string | null }[],
): Promise<void> {
  const nobodys = messages.filter(({ customer }) => customer === null).map(({ id }) => id)
  const others = messages.filter(({ customer }) => customer !== null)
  if (nobodys.length > 0) {
    await sql`
      delete from feedback_customer where workspace_id = ${workspaceId} and item_id = any(${nobodys}::bigint[])`.execute(
      tx,
    )
  }
  if (others.length === 0) return
  await sql`
    insert into feedback_customer as stored (workspace_id, item_id, customer_id)
    select ${workspaceId}::uuid, item_id, customer_id
    from unnest(${others.map(({ id }) => id)}::bigint[], ${others.map(({ customer }) => customer)}::uuid[]) as input (item_id, customer_id)
    on conflict (workspace_id, item_id) do update set customer_id = excluded.customer_id
    where stored.customer_id <> excluded.customer_id`.execute(tx)
}

/** Deletes those of these customers that have no messages left and that nobody listed. */
export async function deleteUnheard(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`
    delete from customer
    where workspace_id = ${workspaceId} and id = any(${[...ids]}::uuid[]) and not listed
      and not exists (
        select from feedback_customer said where said.workspace_id = ${workspaceId} and said.customer_id = customer.id)`.execute(
    tx,
  )
}
