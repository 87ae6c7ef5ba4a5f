import type { Context } from '../connector.ts'
import { dueAgain, takeBack } from '../kit/set-aside.ts'
import { settingsOf } from './client.ts'
import { isAbsent, waitingOf } from './conversations/conversation.ts'
import { findConversation } from './conversations/find-conversation.ts'
import type { Found } from './conversations/read-conversation.ts'
import type { State } from './cursor.ts'
import { threadOf } from './item.ts'
import { selectionOf } from './selection.ts'

/** Begins a round: the conversations that were set aside and are due are read again. */
export function beginAgain(state: State, now: Date): void {
  state.again = dueAgain(state.aside, now).map(Number)
}

/** Requests a conversation that was set aside, as it is now: its threads are read next. */
export async function readAgain(context: Context, state: State, id: number): Promise<Found> {
  const { conversation } = await findConversation(context, id)
  const isGone = conversation === null || isAbsent(conversation)
  const isChosen = !isGone && selectionOf(settingsOf(context), context.now()).includes(conversation)
  const waiting = isChosen ? await waitingOf(context, [conversation]) : []
  state.again = state.again.filter((one) => one !== id)
  state.queue = [...state.queue, ...waiting]
  if (waiting.length === 0) takeBack(state.aside, String(id))
  return { items: [], deletedThreads: isGone ? [threadOf(id)] : [] }
}
