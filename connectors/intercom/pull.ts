import type { Context, Page } from '../connector.ts'
import { RateLimited } from '../kit/errors.ts'
import { settingsOf } from './client.ts'
import { nextRound, openState, type State } from './cursor.ts'
import { missing } from './missing.ts'
import { type Found, readWaiting } from './read-conversation.ts'
import { readSearch } from './read-search.ts'
import { selectionOf } from './selection.ts'

/**
 * Reads one round: what changed since the last one, conversation by conversation, up to the end of Intercom's search. Each page is one
 * request, so little is repeated after an interruption; an interrupted round is finished before a new one starts. Pauses that
 * Intercom asks for are thrown, not slept.
 */
export async function* pull(context: Context, value: unknown): AsyncGenerator<Page<State>> {
  const selection = selectionOf(settingsOf(context), context.now())
  const state = openState(value, selection)
  const page = ({ items, deleted = [], deletedThreads = [], complete = [] }: Found): Page<State> => ({
    items,
    deleted,
    deletedThreads,
    complete,
    cursor: structuredClone(state),
    total: null,
    incomplete: missing(state),
  })
  nextRound(state)
  let pause: number | null = null
  while (state.waiting.length > 0 || !state.ended) {
    if (pause !== null) throw new RateLimited(`Intercom asked for a pause of ${pause} seconds`, { retryAfter: pause })
    const found: Found =
      state.waiting.length > 0
        ? await readWaiting(context, state, selection)
        : await readSearch(context, state, selection)
    pause = found.pause
    yield page(found)
  }
}
