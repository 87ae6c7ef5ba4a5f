import { type ChosenAttributes, MAX_ATTRIBUTE_VALUES } from '@groundswell/contract/insights/attributes.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { numberArray, textArray } from '../array-literal.ts'
import { keyOf, type Pair, worthyPairs } from './worthy.ts'

/** How many names of attributes are kept in a workspace. Those that come later are not, until one has no messages any more. */
const MAX_NAMES = 100

type Message = { id: number; attributes: Readonly<Record<string, string>> }

/**
 * Stores by which values of attributes these messages can be found. The caller holds the lock of the groups, so that one transaction at a time does
 * this in a workspace, and those of the messages.
 */
export async function assignAttributes(tx: Tx, workspaceId: string, messages: readonly Message[]): Promise<void> {
  const pairs = messages.map(({ id, attributes }) => ({ id, pairs: worthyPairs(attributes) }))
  const known = await Values.read(
    tx,
    workspaceId,
    pairs.flatMap((one) => one.pairs),
  )
  const found = pairs.map((one) => ({ id: one.id, values: known.idsOf(one.pairs) }))
  await storeValues(tx, workspaceId, known.added)
  await storeValuesOf(tx, workspaceId, found)
}

type StoredValue = { id: number; name: string; nameKey: string; value: string | null; valueKey: string }

/** The values of some names, and those that messages add to them. */
class Values {
  readonly added: StoredValue[] = []
  readonly #names: Map<string, Map<string, number>>
  #nameCount: number
  #lastId: number

  private constructor(names: Map<string, Map<string, number>>, nameCount: number, lastId: number) {
    this.#names = names
    this.#nameCount = nameCount
    this.#lastId = lastId
  }

  static async read(tx: Tx, workspaceId: string, pairs: readonly Pair[]): Promise<Values> {
    const asked = [...new Set(pairs.map(({ nameKey }) => nameKey))]
    if (asked.length === 0) return new Values(new Map(), 0, 0)
    const { rows } = await sql<{ id: number; nameKey: string; valueKey: string }>`
      select id, name_key as "nameKey", value_key as "valueKey" from attribute_value
      where workspace_id = ${workspaceId} and name_key = any(${textArray(asked)}::text[])`.execute(tx)
    const counted = await sql<{ names: number; last: number }>`
      select count(distinct name_key)::int as names, coalesce(max(id), 0) as last from attribute_value
      where workspace_id = ${workspaceId}`.execute(tx)
    const names = new Map<string, Map<string, number>>()
    for (const { id, nameKey, valueKey } of rows) {
      const values = names.get(nameKey) ?? new Map<string, number>()
      names.set(nameKey, values.set(valueKey, id))
    }
    return new Values(names, counted.rows[0]?.names ?? 0, counted.rows[0]?.last ?? 0)
  }

  /** The ids of a message's values, ascending. */
  idsOf(pairs: readonly Pair[]): number[] {
    return pairs.flatMap((pair) => this.#idOf(pair) ?? []).sort((a, b) => a - b)
  }

  #idOf({ name, nameKey, value, valueKey }: Pair): number | null {
    let values = this.#names.get(nameKey)
    if (!values) {
      if (this.#nameCount >= MAX_NAMES) return null
      this.#nameCount += 1
      values = new Map()
      this.#names.set(nameKey, values)
    }
    const known = values.get(valueKey)
    if (known !== undefined) return known
    const isFull = values.size - (values.has('') ? 1 : 0) >= MAX_ATTRIBUTE_VALUES
    const other = isFull ? values.get('') : undefined
    if (other !== undefined) return other
    this.#lastId += 1
    const key = isFull ? '' : valueKey
    values.set(key, this.#lastId)
    this.added.push({ id: this.#lastId, name, nameKey, value: isFull ? null : value, valueKey: key })
    return this.#lastId
  }
}

async function storeValues(tx: Tx, workspaceId: string, added: readonly StoredValue[]): Promise<void> {
  if (added.length === 0) return
  await sql`
    insert into attribute_value (workspace_id, id, name, name_key, value, value_key)
    select ${workspaceId}::uuid, id, name, name_key, value, value_key
    from unnest(${numberArray(added.map(({ id }) => id))}::int[], ${textArray(added.map(({ name }) => name))}::text[],
      ${textArray(added.map(({ nameKey }) => nameKey))}::text[], ${textArray(added.map(({ value }) => value))}::text[],
      ${textArray(added.map(({ valueKey }) => valueKey))}::text[]) as input (id, name, name_key, value, value_key)`.execute(
    tx,
  )
}

async function storeValuesOf(
  tx: Tx,
  workspaceId: string,
  messages: readonly { id: number; values: readonly number[] }[],
): Promise<void> {
  const without = messages.filter(({ values }) => values.length === 0).map(({ id }) => id)
  const others = messages.filter(({ values }) => values.length > 0)
  if (without.length > 0) {
    await sql`
      delete from feedback_attribute
      where workspace_id = ${workspaceId} and item_id = any(${numberArray(without)}::bigint[])`.execute(tx)
  }
  if (others.length === 0) return
  await sql`
    insert into feedback_attribute as stored (workspace_id, item_id, value_ids)
    select ${workspaceId}::uuid, item_id, value_ids::int[]
    from unnest(${numberArray(others.map(({ id }) => id))}::bigint[],
      ${textArray(others.map(({ values }) => numberArray(values)))}::text[]) as input (item_id, value_ids)
    on conflict (workspace_id, item_id) do update set value_ids = excluded.value_ids
    where stored.value_ids <> excluded.value_ids`.execute(tx)
}

/** The ids of chosen values by name; a message must have one of each name. Empty for a name with no known value: no message passes. */
export async function readChosen(tx: Tx, workspaceId: string, chosen: ChosenAttributes): Promise<number[][]> {
  if (chosen.size === 0) return []
  const names = [...Map.groupBy(chosen, ([name]) => keyOf(name))].map(([nameKey, same]) => ({
    nameKey,
    valueKeys: new Set(same.flatMap(([, values]) => values.map(keyOf).filter(Boolean))),
  }))
  const pairs = names.flatMap(({ nameKey, valueKeys }) => [...valueKeys].map((valueKey) => ({ nameKey, valueKey })))
  const { rows } = await sql<{ id: number; nameKey: string }>`
    select id, value.name_key as "nameKey" from attribute_value value
    join unnest(${textArray(pairs.map((one) => one.nameKey))}::text[], ${textArray(pairs.map((one) => one.valueKey))}::text[])
      as asked (name_key, value_key) on asked.name_key = value.name_key and asked.value_key = value.value_key
    where value.workspace_id = ${workspaceId}`.execute(tx)
  return names.map(({ nameKey }) => rows.filter((row) => row.nameKey === nameKey).map(({ id }) => id))
}

/** The ids of the values of a name, with the values; null: one of the further values of a name with too many. */
export async function readValuesOf(tx: Tx, workspaceId: string, name: string): Promise<Map<number, string | null>> {
  const { rows } = await sql<{ id: number; value: string | null }>`
    select id, value from attribute_value where workspace_id = ${workspaceId} and name_key = ${keyOf(name)}`.execute(tx)
  return new Map(rows.map(({ id, value }) => [id, value]))
}

/** Deletes these values, which no message has any more. */
export async function deleteValues(tx: Tx, workspaceId: string, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  for (const table of ['insight_attribute', 'attribute_change', 'attribute_total']) {
    await sql`
      delete from ${sql.table(table)}
      where workspace_id = ${workspaceId} and value_id = any(${numberArray(ids)}::int[])`.execute(tx)
  }
  await sql`
    delete from attribute_value
    where workspace_id = ${workspaceId} and id = any(${numberArray(ids)}::int[])`.execute(tx)
}
