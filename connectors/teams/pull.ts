import type { Context, Page } from '../connector.ts'
import { GraphRefusal, settingsOf } from './client.ts'
import { type ChannelState, channelState, openState, type State } from './cursor.ts'
import { type Channel, chosenChannels } from './directory.ts'
import { readReplies } from './read-replies.ts'
import { readRoots } from './read-roots.ts'
import { selectionOf } from './selection.ts'

/**
 * Reads one round, channel by channel: root posts that are new or changed, then their replies. Each page is one request for posts, so
 * little is repeated after an interruption; an interrupted round is finished before a new one starts.
 */
export async function* pull(context: Context, value: unknown): AsyncGenerator<Page<State>> {
  const selection = selectionOf(settingsOf(context), context.now())
  const state = openState(value)
  const channels = new Map((await chosenChannels(context, selection)).map((channel) => [channel.key, channel]))
  const page = (found: Partial<Page<State>>): Page<State> => ({
    items: [],
    ...found,
    cursor: structuredClone(state),
    total: null,
    incomplete: missing(state, channels),
  })
  state.turn = state.turn.filter((key) => channels.has(key))
  if (state.turn.length === 0) state.turn = [...channels.keys()]
  if (state.turn.length === 0) yield page({})
  for (let channel = first(state, channels); channel; channel = first(state, channels)) {
    const at = channelState(state, channel.key, selection.start)
    const found = await readChannel(context, at, channel, selection.shared.has(channel.key))
    if (at.round === null && at.roots.length === 0) state.turn = state.turn.slice(1)
    yield page(found)
  }
}

const first = ({ turn }: State, channels: ReadonlyMap<string, Channel>) => channels.get(turn[0] ?? '')

/** One request. The replies of one page of posts are read before the next page, so that few posts wait. */
async function readChannel(
  context: Context,
  at: ChannelState,
  channel: Channel,
  isShared: boolean,
): Promise<Partial<Page<State>>> {
  const root = at.roots[0]
  try {
    if (root !== undefined) return await readReplies(context, at, channel, root, isShared)
    return await readRoots(context, at, channel, isShared)
  } catch (error) {
    if (!(error instanceof GraphRefusal)) throw error
    // It is about this channel alone: a policy, or a channel that is gone. The others are read.
    Object.assign(at, { refused: error.status, round: null, roots: [], reading: null })
    return {}
  }
}

/** What is known to be missing, as text for the tile. */
function missing(state: State, channels: ReadonlyMap<string, Channel>): string | null {
  const chosen = state.channels.flatMap((at) => {
    const channel = channels.get(at.key)
    return channel ? [{ at, name: channel.name }] : []
  })
  const refused = chosen.filter(({ at }) => at.refused !== null).map(({ at, name }) => `${name} (${at.refused})`)
  const endless = chosen
    .filter(({ at }) => at.endless.length > 0)
    .map(({ at, name }) => `${at.endless.length === 1 ? '1 post' : `${at.endless.length} posts`} in ${name}`)
  const parts = [
    ...(refused.length > 0 ? [`Microsoft refuses to show ${refused.join(', ')}.`] : []),
    ...(endless.length > 0 ? [`Replies could not be read to their end: ${endless.join(', ')}.`] : []),
  ]
  return parts.length > 0 ? parts.join(' ') : null
}
