import { withoutControls } from '@groundswell/contract/values/name.ts'
import { safeLink } from '@groundswell/contract/values/web-address.ts'
import * as z from 'zod/mini'
import type { Context, SetAsideView } from '../connector.ts'
import { type ConnectorFailure, isConnectorFailure, Unavailable } from './errors.ts'

/** How often an item is read before it is set aside, where another try may succeed. */
const MAX_TRIES = 3
/** How many items are remembered, and how many of them are read again in one round. */
const MAX_ITEMS = 100
const MAX_RETRIES_PER_ROUND = 10
/** After this many tries, over more than two days, an item makes room for another one. */
const REPLACEABLE_AFTER = MAX_TRIES + 6
const MINUTE_MS = 60_000
/** How long an item that was set aside waits until it is read again: longer each time, at last a day. */
const BACKOFF_MS = [15, 60, 240, 720, 1440].map((minutes) => minutes * MINUTE_MS)
const MAX_REASON = 300
/** When an item without an id of its own is due: it cannot be requested again. */
const NEVER = Number.MAX_SAFE_INTEGER
/** A page of more items than this, all of them unreadable, counts as a malformed response rather than as malformed items. */
const MAX_MALFORMED_ALONE = 5

const Count = z.int().check(z.nonnegative())

/** `tries`: how often it failed. `due`: when it may be read again, in epoch milliseconds. */
const Entry = z.object({
  id: z.string(),
  noun: z.string(),
  label: z.string(),
  link: z.nullable(z.string()),
  reason: z.string(),
  tries: Count,
  due: z.number(),
})

/**
 * The items that a source could not read, as a part of its cursor. Those that failed fewer than three times are about to be read again, and are
 * not shown. `more`: how many others were forgotten to make room.
 */
export const SetAside = z._default(z.object({ entries: z.array(Entry), more: Count }), () => ({ entries: [], more: 0 }))
/** Part of a stored cursor. */
export type SetAside = z.infer<typeof SetAside>

/**
 * An item by the id with which it can be read again. `noun`: the provider's, such as `ticket`. `label`: what tells it from others on the tile,
 * such as `#50`. `again` false: it has no id of its own.
 */
export type Unread = { id: string; noun: string; label: string; link: string | null; again?: false }

/** The list of a source that has read everything. */
export const nothingAside = (): SetAside => ({ entries: [], more: 0 })

/** What the tile shows of the list: labels and reasons, which are the provider's words, without control characters. */
export function shownAside({ entries, more }: SetAside): SetAsideView {
  const shown = entries.filter(({ tries }) => tries >= MAX_TRIES)
  const items = shown.map(({ id, noun, label, link, reason }) => ({
    noun,
    label: withoutControls(label) || withoutControls(id),
    link: safeLink(link),
    reason: withoutControls(reason),
  }))
  return { items, more }
}

/** Ids of the items to be read again in this round. */
export function dueAgain({ entries }: SetAside, now: Date): string[] {
  return entries
    .filter(({ tries, due }) => tries >= MAX_TRIES && due <= now.getTime())
    .toSorted((a, b) => a.due - b.due)
    .slice(0, MAX_RETRIES_PER_ROUND)
    .map(({ id }) => id)
}

/** Whether an item was set aside, and is on the tile. */
export const wasSetAside = (aside: SetAside, id: string): boolean =>
  aside.entries.some((entry) => entry.id === id && entry.tries >= MAX_TRIES)

/** Whether an item was set aside and is not to be read yet. */
export const isAside = ({ entries }: SetAside, id: string, now: Date): boolean =>
  entries.some((entry) => entry.id === id && entry.tries >= MAX_TRIES && entry.due > now.getTime())

/** An item was read, or is no longer there. */
export function takeBack(aside: SetAside, id: string): void {
  aside.entries = aside.entries.filter((entry) => entry.id !== id)
}

/**
 * Sets an item aside that the provider refuses. If there are too many, the oldest makes room: refused items never stop the round.
 */
export function setAside(aside: SetAside, item: Unread, reason: string, now: Date): void {
  makeRoom(aside, item, () => true)
  note(aside, item, reason, { now, tries: Math.max(MAX_TRIES, triesOf(aside, item) + 1) })
}

type Attempt<P> = {
  aside: SetAside
  item: Unread
  /** Any cheap request that succeeds while the provider is there, such as asking who is signed in. */
  probe: () => Promise<unknown>
  /** A page without items, with the current cursor. */
  page: () => P
}

/**
 * Reads one item, or a part of it. A failure stops the round, to be retried; once the item has failed three times, or at once where the
 * provider refused it, it is set aside, and null returned: the caller continues without it. It is set aside only while `probe` succeeds:
 * otherwise the provider is down. A lost sign-in, and a limit, always stop the round. Call `takeBack` when the item was read to its end.
 */
export async function* attempt<P, F>(
  context: Pick<Context, 'now' | 'signal'>,
  { aside, item, probe, page }: Attempt<P>,
  read: () => Promise<F>,
): AsyncGenerator<P, F | null, undefined> {
  try {
    return await readListed(aside, read)
  } catch (error) {
    yield* countMalformed(context, { aside, page }, error)
    const isOfItem = isConnectorFailure(error) && (error.kind === 'unavailable' || error.kind === 'rejected')
    if (!isOfItem || context.signal.aborted) throw error
    const tries = triesOf(aside, item) + 1
    if (error.kind === 'unavailable' && tries < MAX_TRIES) {
      note(aside, item, error.message, { now: context.now(), tries })
      yield page()
      throw error
    }
    await requireReachable(probe, error)
    if (error.kind === 'rejected') setAside(aside, item, error.message, context.now())
    else {
      // Many at once may be a part of the provider that is down: none is forgotten then.
      if (!makeRoom(aside, item, (entry) => entry.tries >= REPLACEABLE_AFTER)) throw error
      note(aside, item, error.message, { now: context.now(), tries })
    }
    return null
  }
}

/** Items of a list that do not match the provider's documentation. */
export class MalformedItems extends Unavailable {
  readonly items: readonly Unread[]

  constructor(message: string, items: readonly Unread[]) {
    super(message)
    this.items = items
  }
}

/**
 * Accepts a page of a list without the items that could not be parsed, once they have failed three times: then they are set aside. Until
 * then, and where nothing of a page can be read, throws `MalformedItems`, which stops the round: see `attemptList`. `read`: how many items the page has besides.
 */
export function acceptWithout(
  aside: SetAside,
  unread: readonly Unread[],
  { message, read, now }: { message: string; read: number; now: Date },
): void {
  const isAccepted = (item: Unread) => triesOf(aside, item) + 1 >= MAX_TRIES
  const isMalformed = read === 0 && unread.length > MAX_MALFORMED_ALONE
  if (isMalformed || !unread.every(isAccepted)) throw new MalformedItems(message, isMalformed ? [] : unread)
  for (const item of unread) {
    if (!makeRoom(aside, item, (entry) => entry.tries >= REPLACEABLE_AFTER)) throw new MalformedItems(message, [])
    note(aside, item, message, { now, tries: triesOf(aside, item) + 1 })
  }
}

/** Reads a page of a list that is no item itself. Where items of it cannot be parsed, their tries are counted before the round stops. */
export async function* attemptList<P, F>(
  context: Pick<Context, 'now'>,
  { aside, page }: Pick<Attempt<P>, 'aside' | 'page'>,
  read: () => Promise<F>,
): AsyncGenerator<P, F, undefined> {
  try {
    return await readListed(aside, read)
  } catch (error) {
    yield* countMalformed(context, { aside, page }, error)
    throw error
  }
}

async function readListed<F>(aside: SetAside, read: () => Promise<F>): Promise<F> {
  const found = await read()
  // What could not be parsed once, and has no id, was a fault of that response.
  aside.entries = aside.entries.filter(({ tries, due }) => tries >= MAX_TRIES || due !== NEVER)
  return found
}

/** Counts a try of each item that `error` is about, and throws it. */
async function* countMalformed<P>(
  context: Pick<Context, 'now'>,
  { aside, page }: Pick<Attempt<P>, 'aside' | 'page'>,
  error: unknown,
): AsyncGenerator<P, void, undefined> {
  if (!(error instanceof MalformedItems) || error.items.length === 0) return
  for (const item of error.items)
    note(aside, item, error.message, { now: context.now(), tries: triesOf(aside, item) + 1 })
  yield page()
  throw error
}

const triesOf = ({ entries }: SetAside, { id }: Unread): number => entries.find((entry) => entry.id === id)?.tries ?? 0

function note(aside: SetAside, item: Unread, reason: string, { now, tries }: { now: Date; tries: number }): void {
  const pause = BACKOFF_MS[Math.min(Math.max(0, tries - MAX_TRIES), BACKOFF_MS.length - 1)] ?? 0
  const { id, noun, label, link, again = true } = item
  const due = again ? now.getTime() + pause : NEVER
  const entry = { id, noun, label, link, reason: reason.slice(0, MAX_REASON), tries, due }
  const others = aside.entries.filter((one) => one.id !== id)
  const pending = others.filter((one) => one.tries < MAX_TRIES)
  aside.entries = [...others.filter((one) => one.tries >= MAX_TRIES), ...pending.slice(1 - MAX_ITEMS), entry]
}

/** False if the list is full and none of its items may be dropped. */
function makeRoom(aside: SetAside, { id }: Unread, mayGo: (entry: SetAside['entries'][number]) => boolean): boolean {
  const others = aside.entries.filter((entry) => entry.id !== id && entry.tries >= MAX_TRIES)
  if (others.length < MAX_ITEMS) return true
  const gone = others.find(mayGo)
  if (!gone) return false
  aside.entries = aside.entries.filter((entry) => entry !== gone)
  aside.more += 1
  return true
}

/** If the probe is refused or rate-limited, its failure is a better explanation than the item's. */
async function requireReachable(probe: () => Promise<unknown>, failure: ConnectorFailure): Promise<void> {
  try {
    await probe()
  } catch (error) {
    throw isConnectorFailure(error) && (error.kind === 'auth' || error.kind === 'rate-limited') ? error : failure
  }
}
