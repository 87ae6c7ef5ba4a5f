import type { Context, Page } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { attempt, dueAgain, isAside, shownAside, takeBack } from '../kit/set-aside.ts'
import { counted } from '../kit/text/counted.ts'
import { read, SlackRefusal } from './client.ts'
import { type ChannelState, newChannel, openState, type State } from './cursor.ts'
import { listChannels, rememberChannels } from './directory.ts'
import { beginWalk, endWalk, readHistory } from './history.ts'
import { externalId } from './item.ts'
import { readerSettings, type SlackSettings } from './manifest.ts'
import { type Found, readThread } from './replies.ts'
import { AuthTest } from './schema.ts'
import { unreadChannel, unreadThread } from './unread.ts'

/** Slack's error codes for a channel that cannot be read. The others are still read. */
const CHANNEL_PROBLEMS: Record<string, (name: string) => string> = {
  not_in_channel: (name) => `The app is not in ${name}: invite it there with /invite`,
  channel_not_found: (name) => `${name} cannot be found, or the app was not invited to it`,
  method_not_supported_for_channel_type: (name) => `${name} is of a kind that Slack does not let apps read`,
  no_permission: (name) => `The app is not allowed to read ${name}`,
  access_denied: (name) => `The app is not allowed to read ${name}`,
  team_not_found: (name) => `The workspace of ${name} cannot be found`,
}

const NOTHING: Found = { items: [], deleted: [], complete: [] }

/**
 * Reads one round: every chosen channel from its last position. Each page is one request to Slack, so little is repeated after
 * an interruption; an interrupted round is finished before a new one starts. `incomplete` states which messages are missing in the round
 * as a whole. Pauses that Slack asks for are thrown, not slept.
 */
export async function* pull(context: Context, value: unknown): AsyncGenerator<Page<State>> {
  const settings = readerSettings(context)
  if (!settings.success) throw new Rejected('Slack is not set up: connect it again')
  const chosen = settings.data.channels ?? []
  const state = openState(value)
  const page = (found: Found): Page<State> => ({
    ...found,
    cursor: structuredClone(state),
    total: null,
    incomplete: missing(state),
    setAside: shownAside(state.aside),
  })
  if (state.left === null) {
    await beginRound(context, settings.data, state)
    yield page(NOTHING)
  }
  for (;;) {
    const id = state.left?.[0]
    if (id === undefined) break
    const channel = state.channels[id]
    if (channel && (chosen.length === 0 || chosen.includes(id))) {
      yield* readChannel(context, settings.data, state, { id, channel, page })
    }
    state.left?.shift()
  }
  state.left = null
  yield page(NOTHING)
}

async function beginRound(context: Context, settings: SlackSettings, state: State): Promise<void> {
  const chosen = settings.channels ?? []
  const listed = await listChannels(context, {}, (channels) => {
    const ids = new Set(channels.map(({ id }) => id))
    return chosen.length > 0 && chosen.every((id) => ids.has(id))
  })
  rememberChannels(context, settings.team_id, listed)
  const names = new Map(listed.map(({ id, name }) => [id, name]))
  const direct = new Set(listed.filter(isDirect).map(({ id }) => id))
  const wanted = chosen.length > 0 ? [...new Set(chosen)] : listed.filter(isMember).map(({ id }) => id)
  state.left = wanted.filter((id) => !direct.has(id) && !id.startsWith('D'))
  for (const id of state.left) {
    const channel = state.channels[id] ?? newChannel(null)
    channel.name = names.get(id) ?? channel.name
    state.channels[id] = channel
  }
  const archived = new Set(listed.filter(({ is_archived }) => is_archived === true).map(({ id }) => id))
  for (const [id, channel] of Object.entries(state.channels)) {
    if (state.left.includes(id)) continue
    // A channel that the owner no longer chose, or that was archived, is not incomplete. One that the app was removed from is.
    const removed = chosen.length === 0 && wasRead(channel) && !archived.has(id)
    Object.assign(channel, { problem: removed ? removedFrom(nameOf(id, channel)) : null, short: [] })
  }
}

type Listed = Awaited<ReturnType<typeof listChannels>>[number]

const isMember = ({ is_member }: Listed) => is_member !== false
/** Direct messages are never feedback, whatever the app was allowed to read. */
const isDirect = ({ is_im, is_mpim }: Listed) => is_im === true || is_mpim === true
const wasRead = ({ watermark, deepAt }: ChannelState) => watermark !== null || deepAt > 0
const removedFrom = (name: string) =>
  `The app is no longer in ${name}: invite it again with /invite, or choose which channels to read`

/** One request after another. A channel that was set aside is left out until it is tried again. */
async function* readChannel(
  context: Context,
  settings: SlackSettings,
  state: State,
  { id, channel, page }: { id: string; channel: ChannelState; page: (found: Found) => Page<State> },
): AsyncGenerator<Page<State>> {
  const { aside } = state
  if (isAside(aside, id, context.now())) return
  channel.walk ??= beginRead(context, settings, state, id, channel)
  const walk = channel.walk
  const place = { id, name: channel.name }
  const probe = () => read(context, 'auth.test', {}, AuthTest)
  for (;;) {
    const thread = channel.threads[0]
    if (!thread && walk.done) break
    const item = thread ? unreadThread(settings, place, thread.ts) : unreadChannel(settings, place)
    const found = yield* attempt(context, { aside, item, probe, page: () => page(NOTHING) }, () =>
      unlessProblem(
        thread
          ? readThread(context, settings, id, channel, thread, aside)
          : readHistory(context, settings, id, channel, walk, aside),
      ),
    )
    if (found !== null && 'problem' in found) {
      Object.assign(channel, { problem: found.problem(nameOf(id, channel)), walk: null, threads: [] })
      return
    }
    if (found === null && !thread) return void Object.assign(channel, { walk: null, threads: [] })
    if (found === null) channel.threads = channel.threads.filter(({ ts }) => ts !== thread?.ts)
    else if (thread && !channel.threads.some(({ ts }) => ts === thread.ts)) takeBack(aside, item.id)
    yield page(found ?? NOTHING)
  }
  takeBack(aside, id)
  endWalk(channel, walk, context.now())
}

/** Begins a walk, with the threads that were set aside and are due. */
function beginRead(context: Context, { team_id }: SlackSettings, state: State, id: string, channel: ChannelState) {
  const walk = beginWalk(channel, context.now())
  const prefix = externalId(team_id, id, '')
  const due = dueAgain(state.aside, context.now()).flatMap((one) =>
    one.startsWith(prefix) ? [one.slice(prefix.length)] : [],
  )
  const others = due.filter((ts) => !channel.threads.some((thread) => thread.ts === ts))
  channel.threads.push(...others.map((ts) => ({ ts, oldest: null, count: 0, got: 0, cursor: null, last: null })))
  return walk
}

/** A refusal that is about the channel, as words for the tile. */
async function unlessProblem(found: Promise<Found>): Promise<Found | { problem: (name: string) => string }> {
  try {
    return await found
  } catch (error) {
    const problem = error instanceof SlackRefusal ? CHANNEL_PROBLEMS[error.code] : undefined
    if (problem) return { problem }
    throw error
  }
}

const nameOf = (id: string, channel: ChannelState) => (channel.name === null ? `The channel ${id}` : `#${channel.name}`)

/** What is known to be missing, as text for the tile. */
function missing(state: State): string | null {
  const words = Object.entries(state.channels).flatMap(([id, channel]) => {
    const threads = channel.short.length
    const replies = channel.short.reduce((sum, thread) => sum + thread.missing, 0)
    const where = `${counted(threads, 'thread')} of ${nameOf(id, channel)}`
    const short = `Slack gave ${counted(replies, 'reply', 'replies')} fewer than it counts in ${where}`
    return [...(channel.problem === null ? [] : [channel.problem]), ...(threads > 0 ? [short] : [])]
  })
  return words.length === 0 ? null : `${words.join('. ')}.`
}
