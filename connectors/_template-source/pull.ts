import * as z from 'zod/mini'
import type { Context, Page } from '../connector.ts'
import { Unavailable } from '../kit/errors.ts'
import { mismatch } from '../kit/http/json-call.ts'
import { acceptWithout, attemptList, nothingAside, SetAside, shownAside, type Unread } from '../kit/set-aside.ts'
import { call } from './client.ts'
import { changesOf, chosenInboxes } from './item.ts'
import { MessagePage } from './schema.ts'

const PAGE_SIZE = 100

/** Where the next request continues, in the feed of these inboxes, null for its beginning. `aside`: messages that could not be read. */
const State = z.object({
  version: z.literal(1),
  inboxes: z.array(z.string()),
  after: z.nullable(z.string()),
  aside: SetAside,
})
type State = z.infer<typeof State>

/** Parses a stored cursor; nothing stored is null. */
export const cursor = z._default(z.nullable(State), null)

/**
 * Reads the feed of messages to its end. The feed is ordered by the last change and lists new, edited and deleted messages, so the
 * first sync and every later one are the same loop. A cursor of other inboxes, or one that cannot be parsed, starts from the beginning.
 */
export async function* pull(context: Context, stored: unknown): AsyncGenerator<Page<State>> {
  const inboxes = chosenInboxes(context)
  const parsed = State.safeParse(stored).data
  const isSame = parsed?.inboxes.join() === inboxes.join()
  const state: State =
    parsed && isSame ? structuredClone(parsed) : { version: 1, inboxes, after: null, aside: nothingAside() }
  const { aside } = state
  const page = (changes: Pick<Page<State>, 'items'>): Page<State> => ({
    ...changes,
    cursor: structuredClone(state),
    setAside: shownAside(aside),
  })
  for (let hasMore = true; hasMore; ) {
    const read = () => readFeed(context, state)
    const { messages, next, has_more } = yield* attemptList(context, { aside, page: () => page({ items: [] }) }, read)
    state.after = next
    hasMore = has_more
    yield page(changesOf(messages.items))
  }
}

/** One page. Its messages are parsed one by one: one that is malformed is left out once it has failed often enough. */
async function readFeed(context: Context, { inboxes, after, aside }: State): Promise<z.infer<typeof MessagePage>> {
  const page = await call(context, {
    name: 'messages.list',
    path: '/messages',
    query: { after, limit: PAGE_SIZE, inboxes: inboxes.join(',') || null },
    schema: MessagePage,
  })
  if (page.has_more && page.next === after) throw new Unavailable('The help desk’s list of messages does not advance')
  const { items, malformed } = page.messages
  const message = mismatch('The help desk', 'GET messages.list', `messages.${malformed[0]?.at}`)
  acceptWithout(aside, malformed.map(unread), { message, read: items.length, now: context.now() })
  return page
}

/** The feed is all that there is: a message that it listed wrongly cannot be requested by its id. */
const unread = ({ value }: { value: unknown }): Unread => {
  const { id = '' } = z.object({ id: z.string() }).safeParse(value).data ?? {}
  return { id, noun: 'message', label: id === '' ? '' : `#${id}`, link: null, again: false }
}
