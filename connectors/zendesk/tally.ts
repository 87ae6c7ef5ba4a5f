import type { Context } from '../connector.ts'
import { isConnectorFailure } from '../kit/errors.ts'
import { counted, figure } from '../kit/text/counted.ts'
import { call } from './client.ts'
import { isFirstRound, type State } from './cursor.ts'
import { SearchCount } from './schema.ts'

const DAY_MS = 86_400_000

/**
 * Compares the number of exported tickets with Zendesk's own, once after the first round, and daily as long as some are missing.
 * Returns whether it was compared. A count that Zendesk does not give is no reason to stop a sync.
 */
export async function compareCount(context: Context, state: State): Promise<boolean> {
  const { tally } = state
  const now = context.now().getTime()
  const isShort = tally.counted !== null && tally.counted > tally.seen
  if (Math.abs(now - tally.at) < DAY_MS || (tally.counted !== null && !isShort)) return false
  tally.counted = (await countTickets(context, state)) ?? tally.counted
  tally.at = now
  return true
}

/**
 * Notes how many tickets a first round has to read: one request, and none where the first page of the export had all. Does nothing where it is
 * known, or not the first round.
 */
export async function expectTickets(context: Context, state: State): Promise<void> {
  if (state.expected !== undefined || state.after === null || !isFirstRound(state)) return
  state.expected = state.ended ? state.tally.seen : await countTickets(context, state)
}

/** Zendesk's number of tickets that changed between the start date and the beginning of the sync; null where it does not give one. */
async function countTickets(context: Context, { start, tally }: State): Promise<number | null> {
  const time = (ms: number) => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')
  const query = `type:ticket updated>=${time(start * 1000)} updated<=${time(tally.until)}`
  try {
    const { data } = await call(context, {
      name: 'search',
      path: '/api/v2/search',
      query: { query },
      schema: SearchCount,
    })
    return data.count
  } catch (error) {
    if (!isConnectorFailure(error) || error.kind === 'auth' || error.kind === 'rate-limited') throw error
    context.log.warn({ kind: error.kind }, 'Zendesk did not return its number of tickets')
    return null
  }
}

/** What is known to be missing, as text for the tile. */
export function missing({ tally, short, start }: State): string | null {
  const words: string[] = []
  const since = new Date(start * 1000).toISOString().slice(0, 10)
  if (tally.counted !== null && tally.counted > tally.seen) {
    words.push(
      `Zendesk counts ${figure(tally.counted)} tickets that changed since ${since}, but its export had ${figure(tally.seen)}`,
    )
  }
  if (short.length > 0) {
    const comments = short.reduce((sum, ticket) => sum + ticket.missing, 0)
    const where = short.length === 1 ? `ticket ${short[0]?.id}` : `${short.length} tickets`
    words.push(`Zendesk returned ${counted(comments, 'comment')} fewer than it counts in ${where}`)
  }
  return words.length === 0 ? null : `${words.join('. ')}.`
}
