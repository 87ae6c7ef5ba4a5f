import type { Context, Page } from '../connector.ts'
import { RateLimited } from '../kit/errors.ts'
import { attempt, attemptList, shownAside } from '../kit/set-aside.ts'
import { call, settingsOf } from './client.ts'
import { openState, type State } from './cursor.ts'
import { unreadTicket } from './item.ts'
import { beginAgain, readAgain } from './read-again.ts'
import { readExport } from './read-export.ts'
import { endTicket, type Found, readTicket } from './read-ticket.ts'
import { CurrentUser } from './schema.ts'
import { selectionOf } from './selection.ts'
import { compareCount, expectTickets, missing } from './tally.ts'

/**
 * Reads one round: what changed since the last one, ticket by ticket, up to the end of Zendesk's export. Each page is one request for
 * tickets or for comments, so little is repeated after an interruption; an interrupted round is finished before a new one starts.
 * Pauses that Zendesk asks for are thrown, not slept.
 */
export async function* pull(context: Context, value: unknown): AsyncGenerator<Page<State>> {
  const now = context.now()
  const selection = selectionOf(settingsOf(context), now)
  const state = openState(value, selection, now)
  const page = ({
    items,
    deletedThreads = [],
    complete = [],
    attachmentOnly = [],
  }: Omit<Found, 'pause'>): Page<State> => ({
    items,
    deletedThreads,
    complete,
    attachmentOnly,
    cursor: structuredClone(state),
    total: null,
    incomplete: missing(state),
    setAside: shownAside(state.aside),
  })
  const { subdomain } = settingsOf(context)
  const trial = {
    aside: state.aside,
    probe: () => call(context, { name: 'users/me', path: '/api/v2/users/me', schema: CurrentUser }),
    page: () => page({ items: [] }),
  }
  if (state.tickets.length === 0 && state.again.length === 0) {
    state.ended = false
    beginAgain(state, now)
  }
  let pause: number | null = null
  for (;;) {
    const ticket = state.tickets[0]
    const [again] = state.again
    if (!ticket && again === undefined && state.ended) break
    if (pause !== null) throw new RateLimited(`Zendesk asked for a pause of ${pause} seconds`, { retryAfter: pause })
    await expectTickets(context, state)
    const id = ticket?.id ?? again
    const found: Found | null =
      id === undefined
        ? yield* attemptList(context, trial, () => readExport(context, state, selection))
        : yield* attempt(context, { ...trial, item: unreadTicket(subdomain, id) }, () =>
            ticket ? readTicket(context, state, ticket) : readAgain(context, state, id),
          )
    if (found === null && ticket) endTicket(state)
    else if (found === null) state.again.shift()
    pause = found?.pause ?? null
    yield page(found ?? { items: [] })
  }
  if (await compareCount(context, state)) yield page({ items: [] })
}
