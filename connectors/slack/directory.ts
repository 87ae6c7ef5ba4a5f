import type * as z from 'zod/mini'
import type { Context } from '../connector.ts'
import { isConnectorFailure } from '../kit/errors.ts'
import type { Names } from '../kit/mrkdwn/text.ts'
import { read, slackUrl } from './client.ts'
import { ChannelInfo, Channels, type User, UserInfo, Users } from './schema.ts'

/** Slack's maximum page. Apps limited to smaller pages get fewer, without an error. */
export const MAX_COUNT = 999
const HOUR_MS = 3_600_000
const KEPT_WORKSPACES = 50
/** In workspaces with more members, people are requested one by one as they occur. */
const LIST_PAGES = 10

/** `isAgent`: a member of the own workspace or an app; false for its guests and for people of other workspaces; null: not known. */
type Person = { name: string; isAgent: boolean | null }
/** The people and names of a workspace by id. `listed`: the members were requested as one list. */
type Known = { at: number; listed: boolean; users: Map<string, Person>; channels: Map<string, string | null> }

const newWorkspaces = () => new Map<string, Known>()

/** Names are cached for an hour in this process, so that a sync that waits for Slack's limits does not request them again. */
function known(context: Context, team: string): Known {
  const workspaces = context.cache(newWorkspaces)
  const key = `${slackUrl(context)} ${team}`
  const found = workspaces.get(key)
  const now = context.now().getTime()
  if (found && Math.abs(now - found.at) < HOUR_MS) return found
  const fresh: Known = { at: now, listed: false, users: new Map(), channels: new Map() }
  workspaces.delete(key)
  workspaces.set(key, fresh)
  const oldest = workspaces.keys().next().value
  if (workspaces.size > KEPT_WORKSPACES && oldest !== undefined) workspaces.delete(oldest)
  return fresh
}

type Channel = z.infer<typeof ChannelInfo>['channel']

/** All channels that the app can see, public and private. `enough` ends the list early. */
export async function listChannels(
  context: Context,
  values: { exclude_archived?: boolean },
  enough: (channels: readonly Channel[]) => boolean = () => false,
): Promise<Channel[]> {
  const channels: Channel[] = []
  let cursor: string | null = null
  const seen = new Set<string>()
  do {
    const page: z.infer<typeof Channels> = await read(
      context,
      'conversations.list',
      { ...values, types: 'public_channel,private_channel', limit: MAX_COUNT, cursor },
      Channels,
    )
    channels.push(...page.channels)
    cursor = page.response_metadata?.next_cursor || null
    if (cursor !== null && seen.has(cursor)) break
    if (cursor !== null) seen.add(cursor)
  } while (cursor !== null && !enough(channels))
  return channels
}

/** The name of a channel without its #, or null when Slack does not return it. */
export async function channelName(context: Context, team: string, id: string): Promise<string | null> {
  const { channels } = known(context, team)
  const cached = channels.get(id)
  if (cached !== undefined) return cached
  const info = await nullIfRejected(read(context, 'conversations.info', { channel: id }, ChannelInfo))
  const name = info?.channel.name ?? null
  channels.set(id, name)
  return name
}

/** The names of people and channels that are mentioned in messages. A channel that the app cannot see has none. */
export async function namesOf(
  context: Context,
  team: string,
  mentioned: { people: ReadonlySet<string>; channels: ReadonlySet<string> },
  list: boolean,
): Promise<Names> {
  const users = await peopleOf(context, team, mentioned.people, list)
  const channels = new Map<string, string>()
  for (const id of mentioned.channels) {
    const name = await channelName(context, team, id)
    if (name !== null) channels.set(id, name)
  }
  return { get: (id) => users.get(id)?.name ?? channels.get(id) }
}

/** Caches names from a list of channels, for the events to come. */
export function rememberChannels(context: Context, team: string, channels: readonly Channel[]): void {
  const { channels: names } = known(context, team)
  for (const { id, name } of channels) names.set(id, name)
}

/**
 * People by id. Many unknown ones are requested as one list, few or later ones one by one; a person who is not found
 * is named by the id, so that people are still distinct.
 */
export async function peopleOf(
  context: Context,
  team: string,
  ids: ReadonlySet<string>,
  list: boolean,
): Promise<ReadonlyMap<string, Person>> {
  const workspace = known(context, team)
  const unknown = () => [...ids].filter((id) => !workspace.users.has(id))
  if (list && !workspace.listed && unknown().length > 0) await listUsers(context, team, workspace)
  for (const id of unknown()) {
    const info = await nullIfRejected(read(context, 'users.info', { user: id }, UserInfo))
    workspace.users.set(id, info ? personOf(info.user, id, team) : { name: id, isAgent: null })
  }
  return workspace.users
}

async function listUsers(context: Context, team: string, workspace: Known): Promise<void> {
  let cursor: string | null = null
  for (let page = 0; page < LIST_PAGES; page += 1) {
    const answer: z.infer<typeof Users> | null = await nullIfRejected(
      read(context, 'users.list', { limit: MAX_COUNT, cursor }, Users),
    )
    for (const user of answer?.members ?? []) workspace.users.set(user.id, personOf(user, user.id, team))
    cursor = answer?.response_metadata?.next_cursor || null
    if (cursor === null) break
  }
  workspace.listed = true
}

function personOf(user: User, id: string, team: string): Person {
  const { name, real_name, profile } = user
  return { name: profile?.display_name || profile?.real_name || real_name || name || id, isAgent: isAgent(user, team) }
}

/** Strangers are people of other workspaces; restricted users are guests. In Enterprise Grid a person can have several workspaces. */
function isAgent(user: User, team: string): boolean {
  if (user.is_stranger || user.is_restricted || user.is_ultra_restricted) return false
  const teams = [user.team_id, ...(user.teams ?? []), ...(user.enterprise_user?.teams ?? [])].filter((id) => !!id)
  return teams.length === 0 || teams.includes(team)
}

/** Null where Slack returns none; a name is not worth stopping a sync for. Pauses and outages still stop it. */
async function nullIfRejected<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer
  } catch (error) {
    const refused = isConnectorFailure(error) && error.kind === 'rejected'
    if (refused) return null
    throw error
  }
}
