import type { Context, Page } from '../connector.ts'
import { settingsOf } from './client.ts'
import { openState, type State } from './cursor.ts'
import { missing } from './missing.ts'
import { type Found, readConversation } from './read-conversation.ts'
import { endPass, readList } from './read-list.ts'
import { selectionOf } from './selection.ts'
import { beginSweep, sweep } from './sweep.ts'

/**
 * Reads one round: what changed since the last one, conversation by conversation. Each page is one request for conversations or for
 * threads, so little is repeated after an interruption; an interrupted pass resumes where it was.
 */
export async function* pull(context: Context, value: unknown): AsyncGenerator<Page<State>> {
  const selection = selectionOf(settingsOf(context), context.now())
  const state = openState(value, selection)
  if (!state.open) {
    state.passes = 0
    beginSweep(state, context.now())
  }
  for (let done = false; !done; ) {
    const [conversation] = state.queue
    const found: Found = conversation
      ? await readConversation(context, state, conversation)
      : state.sweep
        ? await sweep(context, state, selection)
        : await readList(context, state, selection)
    done = endPass(state, context.now())
    const { items, deletedThreads = [], complete = [] } = found
    const incomplete = missing(state)
    yield { items, deletedThreads, complete, cursor: structuredClone(state), total: null, incomplete }
  }
}
