import * as z from 'zod/mini'
import type { Context, Page } from '../connector.ts'
import { Unavailable } from '../kit/errors.ts'
import { call } from './client.ts'
import { changesOf, chosenInboxes } from './item.ts'
import { MessagePage } from './schema.ts'

const PAGE_SIZE = 100

/** Where the next request continues, in the feed of these inboxes. */
const State = z.object({ version: z.literal(1), inboxes: z.array(z.string()), after: z.string() })
type State = z.infer<typeof State>

/** Parses a stored cursor; nothing stored is null. */
export const cursor = z._default(z.nullable(State), null)

/**
 * Reads the feed of messages to its end. The feed is ordered by the last change and lists new, edited and deleted messages, so the
 * first sync and every later one are the same loop. A cursor of other inboxes, or one that cannot be parsed, starts from the beginning.
 */
export async function* pull(context: Context, stored: unknown): AsyncGenerator<Page<State>> {
  const inboxes = chosenInboxes(context)
  const state = State.safeParse(stored).data
  let after = state && state.inboxes.join() === inboxes.join() ? state.after : null
  for (;;) {
    const page = await call(context, {
      name: 'messages.list',
      path: '/messages',
      query: { after, limit: PAGE_SIZE, inboxes: inboxes.join(',') || null },
      schema: MessagePage,
    })
    if (page.has_more && page.next === after) throw new Unavailable('The help desk’s list of messages does not advance')
    after = page.next
    yield { ...changesOf(page.messages), cursor: { version: 1, inboxes, after } }
    if (!page.has_more) return
  }
}
