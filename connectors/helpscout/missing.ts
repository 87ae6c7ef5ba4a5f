import { counted } from '../kit/text/counted.ts'
import type { State } from './cursor.ts'

/** What is known to be missing, as text for the tile. */
export function missing(state: State): string | null {
  const { short } = state
  const unlisted = Math.max(state.missing, state.unlisted)
  const words: string[] = []
  if (unlisted > 0) {
    words.push(`Help Scout counts ${counted(unlisted, 'conversation')} more than it listed`)
  }
  if (short.length > 0) {
    const threads = short.reduce((sum, one) => sum + one.missing, 0)
    const where = short.length === 1 ? `conversation ${short[0]?.id}` : `${short.length} conversations`
    words.push(`Help Scout returned ${counted(threads, 'message')} fewer than it counts in ${where}`)
  }
  return words.length === 0 ? null : `${words.join('. ')}.`
}
