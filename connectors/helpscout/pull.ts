import type { Context, Page } from '../connector.ts'
import { attempt, attemptList, shownAside } from '../kit/set-aside.ts'
import { call, settingsOf } from './client.ts'
import { type Found, readConversation, skipConversation } from './conversations/read-conversation.ts'
import { openState, type State } from './cursor.ts'
import { unreadConversation } from './item.ts'
import { missing } from './missing.ts'
import { beginAgain, readAgain } from './read-again.ts'
import { endPass, readList } from './read-list.ts'
import { User } from './schema.ts'
import { type Selection, selectionOf } from './selection.ts'
import { beginSweep, skipSwept, sweep, sweptNext } from './sweep.ts'

const NOTHING: Found = { items: [] }

/**
 * Reads one round: what changed since the last one, conversation by conversation. Each page is one request for conversations or for
 * threads, so little is repeated after an interruption; an interrupted pass resumes where it was.
 */
export async function* pull(context: Context, value: unknown): AsyncGenerator<Page<State>> {
  const selection = selectionOf(settingsOf(context), context.now())
  const state = openState(value, selection)
  const page = ({ items, deletedThreads = [], complete = [], attachmentOnly = [] }: Found): Page<State> => ({
    items,
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
    probe: () => call(context, { name: 'users/me', path: '/v2/users/me', schema: User }),
    page: () => page(NOTHING),
  }
  if (!state.open && state.queue.length === 0 && state.again.length === 0) {
    state.passes = 0
    state.first = null
    beginSweep(state, context.now())
    beginAgain(state, context.now())
  }
  for (let done = false; !done; ) {
    const { id, read, skip } = nextItem(context, state, selection)
    const found: Found | null =
      id === null
        ? yield* attemptList(context, trial, read)
        : yield* attempt(context, { ...trial, item: unreadConversation(id) }, read)
    if (found === null) skip()
    done = endPass(state, context.now())
    yield page(found ?? NOTHING)
  }
}

type Step = { id: number | null; read: () => Promise<Found>; skip: () => void }

/** The next request, and the conversation that it is about, if it is about one. */
function nextItem(context: Context, state: State, selection: Selection): Step {
  const [conversation] = state.queue
  const [again] = state.again
  if (conversation) {
    const read = () => readConversation(context, state, conversation)
    return { id: conversation.id, read, skip: () => skipConversation(state) }
  }
  if (again !== undefined) {
    return { id: again, read: () => readAgain(context, state, again), skip: () => state.again.shift() }
  }
  const list = () => (state.sweep ? sweep(context, state, selection) : readList(context, state, selection))
  return { id: sweptNext(state), read: list, skip: () => skipSwept(state) }
}
