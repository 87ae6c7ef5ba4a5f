import type { Context, Page } from '../connector.ts'
import { RateLimited } from '../kit/errors.ts'
import { settingsOf } from './client.ts'
import { openState, type State } from './cursor.ts'
import { readExport } from './read-export.ts'
import { type Found, readTicket } from './read-ticket.ts'
import { selectionOf } from './selection.ts'
import { compareCount, missing } from './tally.ts'

/**
 * Reads one round: what changed since the last one, ticket by ticket, up to the end of Zendesk's export. Each page is one request for
 * tickets or for comments, so little is repeated after an interruption; an interrupted round is finished before a new one starts.
 * Pauses that Zendesk asks for are thrown, not slept.
 */
export async function* pull(context: Context, value: unknown): AsyncGenerator<Page<State>> {
  const now = context.now()
  const selection = selectionOf(settingsOf(context), now)
  const state = openState(value, selection, now)
  const page = ({ items, deletedThreads = [], complete = [] }: Omit<Found, 'pause'>): Page<State> => ({
    items,
    deletedThreads,
    complete,
    cursor: structuredClone(state),
    total: null,
    incomplete: missing(state),
  })
  if (state.tickets.length === 0) state.ended = false
  let pause: number | null = null
  for (;;) {
    const ticket = state.tickets[0]
    if (!ticket && state.ended) break
    if (pause !== null) throw new RateLimited(`Zendesk asked for a pause of ${pause} seconds`, { retryAfter: pause })
    const found = ticket ? await readTicket(context, state, ticket) : await readExport(context, state, selection)
    pause = found.pause
    yield page(found)
  }
  if (await compareCount(context, state)) yield page({ items: [] })
}
