import type { Context, Page } from '../connector.ts'
import { RateLimited } from '../kit/errors.ts'
import { attempt, attemptList, shownAside } from '../kit/set-aside.ts'
import { settingsOf } from './client.ts'
import { nextRound, openState, type State } from './cursor.ts'
import { missing } from './missing.ts'
import { type Found, readWaiting } from './read-conversation.ts'
import { probe, readSearch } from './read-search.ts'
import { selectionOf } from './selection.ts'
import { unreadConversation } from './unread.ts'

const NOTHING: Found = { items: [], pause: null }

/**
 * Reads one round: what changed since the last one, conversation by conversation, up to the end of Intercom's search. Each page is one
 * request, so little is repeated after an interruption; an interrupted round is finished before a new one starts. Pauses that
 * Intercom asks for are thrown, not slept.
 */
export async function* pull(context: Context, value: unknown): AsyncGenerator<Page<State>> {
  const settings = settingsOf(context)
  const selection = selectionOf(settings, context.now())
  const state = openState(value, selection)
  const page = ({
    items,
    deleted = [],
    deletedThreads = [],
    complete = [],
    attachmentOnly = [],
  }: Found): Page<State> => ({
    items,
    deleted,
    deletedThreads,
    complete,
    attachmentOnly,
    cursor: structuredClone(state),
    total: null,
    incomplete: missing(state),
    setAside: shownAside(state.aside),
  })
  const trial = {
    aside: state.aside,
    probe: () => probe(context, state),
    page: () => page(NOTHING),
  }
  nextRound(state, context.now())
  let pause: number | null = null
  while (state.waiting.length > 0 || !state.ended) {
    if (pause !== null) throw new RateLimited(`Intercom asked for a pause of ${pause} seconds`, { retryAfter: pause })
    const [id] = state.waiting[0] ?? []
    const found: Found | null =
      id === undefined
        ? yield* attemptList(context, trial, () => readSearch(context, state, selection))
        : yield* attempt(context, { ...trial, item: unreadConversation(settings, id) }, () =>
            readWaiting(context, state, selection),
          )
    if (found === null) state.waiting = state.waiting.slice(1)
    pause = found?.pause ?? null
    yield page(found ?? NOTHING)
  }
}
