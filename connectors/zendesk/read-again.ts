import type { Context } from '../connector.ts'
import { dueAgain, takeBack } from '../kit/set-aside.ts'
import { settingsOf } from './client.ts'
import type { State } from './cursor.ts'
import { threadOf } from './item.ts'
import { isDeleted, waitingOf } from './read-export.ts'
import type { Found } from './read-ticket.ts'
import { selectionOf } from './selection.ts'
import { showTicket } from './show-ticket.ts'

/** Begins a round: the tickets that were set aside and are due are read again. */
export function beginAgain(state: State, now: Date): void {
  state.again = dueAgain(state.aside, now).map(Number)
}

/** Requests a ticket that was set aside, as it is now: its comments are read next. */
export async function readAgain(context: Context, state: State, id: number): Promise<Found> {
  const ticket = await showTicket(context, id)
  const isChosen = ticket !== null && selectionOf(settingsOf(context), context.now()).includes(ticket)
  const waiting = isChosen && !isDeleted(ticket) ? await waitingOf(context, [ticket], []) : []
  state.again = state.again.filter((one) => one !== id)
  state.tickets = [...state.tickets, ...waiting]
  if (waiting.length === 0) takeBack(state.aside, String(id))
  return { items: [], deletedThreads: ticket !== null && isDeleted(ticket) ? [threadOf(id)] : [], pause: null }
}
