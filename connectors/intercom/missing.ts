import { counted, figure } from '../kit/text/counted.ts'
import type { State } from './cursor.ts'

/** What is known to be missing, as text for the tile. */
export function missing({ gap, short, large, start }: State): string | null {
  const words: string[] = []
  if (gap !== null) {
    const since = new Date(start * 1000).toISOString().slice(0, 10)
    words.push(
      `Intercom counted ${figure(gap.total)} conversations that changed since ${since}, but its search returned ${figure(gap.seen)}`,
    )
  }
  if (short.length > 0) {
    const parts = short.reduce((sum, conversation) => sum + conversation.missing, 0)
    const what = counted(parts, 'message or event', 'messages and events')
    words.push(`Intercom returned ${what} fewer than it counts in ${where(short.map(({ id }) => id))}`)
  }
  if (large.length > 0) words.push(`Intercom’s response is too large to be read for ${where(large)}`)
  return words.length === 0 ? null : `${words.join('. ')}.`
}

const where = (ids: readonly string[]) =>
  ids.length === 1 ? `conversation ${ids[0]}` : `${figure(ids.length)} conversations`
