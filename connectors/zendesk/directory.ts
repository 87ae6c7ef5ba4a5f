import type { Context } from '../connector.ts'
import { call, ZendeskRefusal, zendeskUrl } from './client.ts'
import { nameKey } from './conversation/transcript.ts'
import { listAll } from './lists.ts'
import { Brands, Organizations, TicketFields, type User, UserResults, Users } from './schema.ts'

const HOUR_MS = 3_600_000
const KEPT_ACCOUNTS = 20
/** Beyond this the names of an account are forgotten, so that a long backfill needs no more memory. */
const KEPT_NAMES = 20_000
/** Zendesk's maximum for one request. */
const BATCH = 100

/** `role` is `agent` for the agents of other accounts too. `changed`: when the person was last changed, in epoch seconds. */
export type Person = {
  name: string | null
  role: string | null
  alias?: string | null
  changed?: number | null
}
/** Whether a person is of the company’s own side. */
export const isAgent = (person: Person | undefined) => person?.role === 'agent' || person?.role === 'admin'

/** A custom field: its title, and the names of the options of a drop-down, whose values are tags. */
type Field = { title: string; options: ReadonlyMap<string, string> }

type Known = {
  at: number
  people: Map<number, Person>
  organizations: Map<number, string | null>
  fields: Promise<ReadonlyMap<number, Field>> | null
  brands: Promise<string[]> | null
  /** Agents by a name that was searched for. */
  named: Map<string, boolean>
}

const newAccounts = () => new Map<string, Known>()

/** Names are cached for an hour in this process, so that a sync that waits for a limit does not request them again. */
function known(context: Context): Known {
  const accounts = context.cache(newAccounts)
  const key = `${zendeskUrl(context)} ${String(context.settings.subdomain)}`
  const found = accounts.get(key)
  const now = context.now().getTime()
  const names = found ? found.people.size + found.organizations.size + found.named.size : 0
  if (found && Math.abs(now - found.at) < HOUR_MS && names < KEPT_NAMES) return found
  const fresh: Known = {
    at: now,
    people: new Map(),
    organizations: new Map(),
    fields: null,
    brands: null,
    named: new Map(),
  }
  accounts.delete(key)
  accounts.set(key, fresh)
  const oldest = accounts.keys().next().value
  if (accounts.size > KEPT_ACCOUNTS && oldest !== undefined) accounts.delete(oldest)
  return fresh
}

/** Caches people that a response contained anyway. */
export function rememberPeople(context: Context, users: readonly User[]): void {
  const { people } = known(context)
  for (const user of users) people.set(user.id, personOf(user))
}

function personOf({ name, role, alias, shared_agent, updated_at }: User): Person {
  const changed = updated_at ? Math.floor(Date.parse(updated_at) / 1000) : null
  return { name: name ?? null, role: shared_agent ? 'agent' : (role ?? null), alias: alias ?? null, changed }
}

/**
 * Names and roles of people. Those that are unknown are requested 100 at a time, together with the ones that are needed next
 * (`likely`). A person whom Zendesk does not return has neither.
 */
export async function peopleOf(
  context: Context,
  ids: readonly number[],
  likely: readonly number[],
): Promise<ReadonlyMap<number, Person>> {
  const { people } = known(context)
  const unknown = [...new Set(ids)].filter((id) => id > 0 && !people.has(id))
  if (unknown.length === 0) return people
  const next = likely.filter((id) => id > 0 && !people.has(id))
  const asked = [...new Set([...unknown, ...next.slice(0, Math.max(0, BATCH - unknown.length))])]
  for (let from = 0; from < asked.length; from += BATCH) {
    const batch = asked.slice(from, from + BATCH)
    const query = { ids: batch.join(',') }
    const reply = call(context, { name: 'users/show_many', path: '/api/v2/users/show_many', query, schema: Users })
    rememberPeople(context, (await unlessRefused(reply))?.data.users ?? [])
    for (const id of batch) if (!people.has(id)) people.set(id, { name: null, role: null })
  }
  return people
}

/** Names of organisations: those that the response contained (`given`), and requested ones. */
export async function organizationNames(
  context: Context,
  ids: readonly number[],
  given: readonly { id: number; name: string }[],
): Promise<ReadonlyMap<number, string | null>> {
  const { organizations } = known(context)
  for (const { id, name } of given) organizations.set(id, name)
  const unknown = [...new Set(ids)].filter((id) => !organizations.has(id))
  for (let from = 0; from < unknown.length; from += BATCH) {
    const batch = unknown.slice(from, from + BATCH)
    const query = { ids: batch.join(',') }
    const path = '/api/v2/organizations/show_many'
    const reply = call(context, { name: 'organizations/show_many', path, query, schema: Organizations })
    for (const { id, name } of (await unlessRefused(reply))?.data.organizations ?? []) organizations.set(id, name)
    for (const id of batch) if (!organizations.has(id)) organizations.set(id, null)
  }
  return organizations
}

/** Names of the account's brands; none where the sign-in may not list them. */
export async function brandNames(context: Context): Promise<readonly string[]> {
  const account = known(context)
  account.brands ??= unlessRefused(listAll(context, 'brands', Brands)).then((all) =>
    (all ?? []).map(({ name }) => name),
  )
  try {
    return await account.brands
  } catch (error) {
    account.brands = null
    throw error
  }
}

/** Whether the account has an agent of this name: one request for each name and hour. */
export async function hasAgentNamed(context: Context, name: string): Promise<boolean> {
  const { named } = known(context)
  const key = nameKey(name)
  const before = named.get(key)
  if (before !== undefined) return before
  const query = `type:user name:"${name.replace(/["\\]/g, ' ')}"`
  const reply = call(context, { name: 'search', path: '/api/v2/search', query: { query }, schema: UserResults })
  const people = ((await unlessRefused(reply))?.data.results ?? []).map(personOf)
  const found = people.some((person) => isAgent(person) && nameKey(person.name ?? '') === key)
  named.set(key, found)
  return found
}

/** The account's ticket fields; none where the sign-in may not list them. */
export async function ticketFields(context: Context): Promise<ReadonlyMap<number, Field>> {
  const account = known(context)
  account.fields ??= listFields(context)
  try {
    return await account.fields
  } catch (error) {
    account.fields = null
    throw error
  }
}

async function listFields(context: Context): Promise<ReadonlyMap<number, Field>> {
  const fields = (await unlessRefused(listAll(context, 'ticket_fields', TicketFields))) ?? []
  return new Map(
    fields.map(({ id, title, custom_field_options }) => {
      const options = new Map((custom_field_options ?? []).map(({ name, value }) => [value, name]))
      return [id, { title, options }]
    }),
  )
}

/** Null where Zendesk refuses: a name is not worth stopping a sync for. Pauses and outages still stop it. */
export async function unlessRefused<T>(reply: Promise<T>): Promise<T | null> {
  try {
    return await reply
  } catch (error) {
    if (error instanceof ZendeskRefusal) return null
    throw error
  }
}
