import { createHash } from 'node:crypto'
import type { Context } from '../connector.ts'
import { Unavailable } from '../kit/errors.ts'
import { PERMISSIONS } from './app.ts'
import { call, GraphRefusal, graphUrl, settingsOf } from './client.ts'
import { listAll } from './lists.ts'
import { TeamsSecrets } from './manifest.ts'
import { ChannelPage, TeamPage, User } from './schema.ts'
import { channelKey, includesChannel, type Selection } from './selection.ts'

const MINUTE_MS = 60_000
const KEPT_MS = 60 * MINUTE_MS
/** New channels are found this soon. */
const CHANNELS_MS = 10 * MINUTE_MS
const KEPT_TENANTS = 20
/** Beyond this the people of a tenant are forgotten, so that a long backfill needs no more memory. */
const KEPT_PEOPLE = 20_000

export type Team = { id: string; name: string }
export type Channel = { key: string; team: string; channel: string; name: string; membership: string }
export type Person = { isGuest: boolean }

type Known = {
  at: number
  teams: { at: number; found: Promise<Team[]> } | null
  channels: Map<string, { at: number; found: Promise<Channel[]> }>
  people: Map<string, Person | null>
  /** Microsoft does not let the app read users. */
  refused: boolean
}

const newTenants = () => new Map<string, Known>()

function known(context: Context): Known {
  const tenants = context.cache(newTenants)
  const { tenant } = settingsOf(context)
  // Apps differ in what they may read: what one was shown is not shown to another.
  const token = TeamsSecrets.safeParse(context.secrets).data?.access_token ?? ''
  const key = createHash('sha256')
    .update(JSON.stringify([graphUrl(context), tenant, token]))
    .digest('base64')
  const now = context.now().getTime()
  const found = tenants.get(key)
  if (found && Math.abs(now - found.at) < KEPT_MS && found.people.size < KEPT_PEOPLE) return found
  const fresh: Known = { at: now, teams: null, channels: new Map(), people: new Map(), refused: false }
  tenants.delete(key)
  tenants.set(key, fresh)
  const oldest = tenants.keys().next().value
  if (tenants.size > KEPT_TENANTS && oldest !== undefined) tenants.delete(oldest)
  return fresh
}

/** All teams of the tenant. `fresh`: not from the cache. */
export async function teamsOf(context: Context, { fresh = false } = {}): Promise<Team[]> {
  const tenant = known(context)
  const now = context.now().getTime()
  if (fresh || !tenant.teams || Math.abs(now - tenant.teams.at) > CHANNELS_MS) {
    tenant.teams = { at: now, found: listTeams(context) }
  }
  try {
    return await tenant.teams.found
  } catch (error) {
    tenant.teams = null
    throw error
  }
}

async function listTeams(context: Context): Promise<Team[]> {
  const query = { $select: 'id,displayName', $top: '100' }
  const found = await listAll(context, {
    name: 'teams',
    path: '/teams',
    query,
    schema: TeamPage,
    needs: PERMISSIONS.teams,
  })
  return found.map(({ id, displayName }) => ({ id, name: displayName || id }))
}

/** The channels of one team. `GraphRefusal`: the team is gone, or may not be read. */
export async function channelsOf(context: Context, team: Team, { fresh = false } = {}): Promise<Channel[]> {
  const { channels } = known(context)
  const now = context.now().getTime()
  const kept = channels.get(team.id)
  const entry =
    !fresh && kept && Math.abs(now - kept.at) <= CHANNELS_MS ? kept : { at: now, found: listChannels(context, team) }
  channels.set(team.id, entry)
  try {
    return await entry.found
  } catch (error) {
    channels.delete(team.id)
    throw error
  }
}

async function listChannels(context: Context, team: Team): Promise<Channel[]> {
  const found = await listAll(context, {
    name: 'channels',
    path: `/teams/${encodeURIComponent(team.id)}/channels`,
    query: { $select: 'id,displayName,membershipType' },
    schema: ChannelPage,
    needs: PERMISSIONS.channels,
  })
  return found.map(({ id, displayName, membershipType }) => ({
    key: channelKey(team.id, id),
    team: team.id,
    channel: id,
    name: clean(`${team.name} › ${displayName || id}`),
    membership: membershipType ?? 'standard',
  }))
}

/** The chosen teams that the tenant lists. `lost`: how many it does not list. */
export async function chosenTeams(
  context: Context,
  { teams: ids }: Selection,
): Promise<{ teams: Team[]; lost: number }> {
  const all = await teamsOf(context)
  const teams = all.filter(({ id }) => ids === null || ids.includes(id))
  return { teams, lost: (ids ?? teams).length - teams.length }
}

/**
 * The chosen channels that exist, by team, without those of teams whose channels cannot be listed; where that is true of all teams, throws why.
 * `fresh`: channels are not from the cache.
 */
export async function chosenChannels(
  context: Context,
  selection: Selection,
  { fresh = false } = {},
): Promise<Channel[]> {
  const { teams } = await chosenTeams(context, selection)
  const lists: Channel[][] = []
  let failure: Unavailable | null = null
  for (const team of teams) {
    try {
      lists.push(await channelsOf(context, team, { fresh }))
    } catch (error) {
      if (error instanceof Unavailable) failure = error
      else if (!(error instanceof GraphRefusal)) throw error
    }
  }
  if (failure !== null && lists.length === 0) throw failure
  return lists.flat().filter(({ team, channel }) => includesChannel(selection, team, channel))
}

/** What the tenant knows about a person; null for one that it does not know, and where the app may not read users. */
export async function personOf(context: Context, id: string): Promise<Person | null> {
  const tenant = known(context)
  const kept = tenant.people.get(id)
  if (kept !== undefined || tenant.refused) return kept ?? null
  try {
    const { data } = await call(context, {
      name: 'users',
      path: `/users/${encodeURIComponent(id)}`,
      query: { $select: 'userType' },
      schema: User,
      needs: null,
    })
    const person = { isGuest: data.userType === 'Guest' }
    tenant.people.set(id, person)
    return person
  } catch (error) {
    if (!(error instanceof GraphRefusal)) throw error
    if (error.status === 403) tenant.refused = true
    else tenant.people.set(id, null)
    return null
  }
}

/** As a database can store it. */
const clean = (text: string) => text.replaceAll('\0', '').toWellFormed()
