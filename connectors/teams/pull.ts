import type { Context, Page } from '../connector.ts'
import { attempt, isAside, type SetAside, shownAside, takeBack, wasSetAside } from '../kit/set-aside.ts'
import { counted } from '../kit/text/counted.ts'
import { PERMISSIONS } from './app.ts'
import { call, GraphRefusal, settingsOf } from './client.ts'
import { type ChannelState, channelState, openState, type State } from './cursor.ts'
import { type Channel, channelsOf, chosenTeams, type Team } from './directory.ts'
import { rootId, toItems } from './item.ts'
import { readReplies } from './read-replies.ts'
import { readRoots } from './read-roots.ts'
import { TeamPage } from './schema.ts'
import { includesChannel, selectionOf } from './selection.ts'
import { readPost, unreadChannel, unreadPost, unreadTeam } from './unread.ts'

/**
 * Reads one round, channel by channel: root posts that are new or changed, then their replies. Each page is one request for posts, so
 * little is repeated after an interruption; an interrupted round is finished before a new one starts.
 */
export async function* pull(context: Context, value: unknown): AsyncGenerator<Page<State>> {
  const selection = selectionOf(settingsOf(context), context.now())
  const state = openState(value)
  const { teams, lost } = await chosenTeams(context, selection)
  const chosen: Chosen = { channels: [], refused: [], lost }
  const page = (found: Partial<Page<State>>): Page<State> => ({
    items: [],
    ...found,
    cursor: structuredClone(state),
    total: null,
    incomplete: missing(state, chosen),
    setAside: shownAside(state.aside),
  })
  const probe = () =>
    call(context, { name: 'teams', path: '/teams', query: { $top: '1' }, schema: TeamPage, needs: PERMISSIONS.teams })
  for (const team of teams) {
    const trial = { aside: state.aside, item: unreadTeam(team), probe, page: () => page({}) }
    const listed = isAside(state.aside, team.id, context.now()) ? [] : yield* channelsIn(context, trial, team, chosen)
    chosen.channels.push(...listed.filter(({ channel }) => includesChannel(selection, team.id, channel)))
  }
  const channels = new Map(chosen.channels.map((channel) => [channel.key, channel]))
  state.turn = state.turn.filter((key) => channels.has(key))
  if (state.turn.length === 0) state.turn = [...channels.keys()]
  if (state.turn.length === 0) yield page({})
  for (let channel = first(state, channels); channel; channel = first(state, channels)) {
    const at = channelState(state, channel.key, selection.start)
    if (isAside(state.aside, channel.key, context.now())) {
      state.turn = state.turn.slice(1)
      yield page({})
      continue
    }
    const [root] = at.roots
    const item = root === undefined ? unreadChannel(context, channel) : unreadPost(context, channel, root)
    const isShared = selection.shared.has(channel.key)
    const found = yield* attempt(context, { aside: state.aside, item, probe, page: () => page({}) }, () =>
      readChannel(context, at, channel, isShared, state.aside),
    )
    if (found !== null && at.roots[0] !== root) takeBack(state.aside, item.id)
    if (found !== null && root === undefined) takeBack(state.aside, item.id)
    if (found === null) skip(at, root)
    if (at.round === null && at.roots.length === 0) state.turn = state.turn.slice(1)
    yield page(found ?? {})
  }
}

/** `refused`: chosen teams whose channels Graph does not show, with its status. `lost`: how many chosen teams the tenant does not list. */
type Chosen = { channels: Channel[]; refused: { name: string; status: number }[]; lost: number }

/** All channels of a team; none where they cannot be listed: it is noted, or set aside. */
async function* channelsIn(
  context: Context,
  trial: Parameters<typeof attempt<Page<State>, Channel[]>>[1],
  team: Team,
  { refused }: Chosen,
): AsyncGenerator<Page<State>, Channel[], undefined> {
  let listed: Channel[] = []
  try {
    listed = await channelsOf(context, team)
  } catch (error) {
    if (!(error instanceof GraphRefusal)) return (yield* attempt(context, trial, () => Promise.reject(error))) ?? []
    refused.push({ name: team.name, status: error.status })
  }
  takeBack(trial.aside, team.id)
  return listed
}

/** Goes on without a post, or with `root` undefined without the channel, until the next round. */
function skip(at: ChannelState, root: string | undefined): void {
  if (root === undefined) Object.assign(at, { round: null, roots: [], reading: null })
  else Object.assign(at, { roots: at.roots.filter((one) => one !== root), reading: null })
}

const first = ({ turn }: State, channels: ReadonlyMap<string, Channel>) => channels.get(turn[0] ?? '')

/** One request. The replies of one page of posts are read before the next page, so that few posts wait. */
async function readChannel(
  context: Context,
  at: ChannelState,
  channel: Channel,
  isShared: boolean,
  aside: SetAside,
): Promise<Partial<Page<State>>> {
  const root = at.roots[0]
  try {
    if (root === undefined) return await readRoots(context, at, channel, isShared, aside)
    // Nothing is known of a post that was set aside: it is read like its replies.
    const isBad = wasSetAside(aside, rootId(channel.channel, root)) && at.reading === null
    const post = isBad
      ? await toItems(context, [await readPost(context, channel, root)], { channel, root: null, isShared })
      : []
    const found = await readReplies(context, at, channel, root, isShared)
    return { ...found, items: [...post, ...found.items] }
  } catch (error) {
    if (!(error instanceof GraphRefusal)) throw error
    // It is about this channel alone: a policy, or a channel that is gone. The others are read.
    Object.assign(at, { refused: error.status, round: null })
    return {}
  }
}

/** What is known to be missing, as text for the tile. */
function missing(state: State, { channels, refused: teams, lost }: Chosen): string | null {
  const read = channels.flatMap((channel) => {
    const at = state.channels.find(({ key }) => key === channel.key)
    return at ? [{ at, name: channel.name }] : []
  })
  const refused = [
    ...teams,
    ...read.flatMap(({ at, name }) => (at.refused === null ? [] : { name, status: at.refused })),
  ]
  const unread = read.filter(({ at }) => at.unread.length > 0)
  const shown = refused.map(({ name, status }) => `${name} (${status})`).join(', ')
  const threads = unread.map(({ at, name }) => `${counted(at.unread.length, 'post')} in ${name}`).join(', ')
  const parts = [
    ...(lost > 0 ? [`${counted(lost, 'chosen team')} not found in this organisation.`] : []),
    ...(shown === '' ? [] : [`Microsoft refuses to show ${shown}.`]),
    ...(threads === '' ? [] : [`Not all replies could be read: ${threads}.`]),
  ]
  return parts.length > 0 ? parts.join(' ') : null
}
