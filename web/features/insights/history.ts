import type { Correction } from '@groundswell/contract/corrections.ts'
import type { InsightEvent } from '@groundswell/contract/insight-detail.ts'
import { correctionInWords } from './corrections/correction-words.ts'
import { eventInWords } from './event-words.ts'

/** One line of an insight's history. `other`: an insight to link to behind the words. `undone`: that it was, and by whom. */
export type HistoryEntry = {
  at: string
  words: string
  other: number | null
  by: string | null
  undone: string | null
  correction: Correction | null
}

/** What a correction leaves in the history as an event: where the corrections themselves are told, it is left out. */
const OF_CORRECTIONS: readonly InsightEvent['event'][] = [
  'merged',
  'absorbed',
  'renamed',
  'moved_out',
  'moved_in',
  'split_off',
  'split_from',
  'rejected',
  'locked',
  'unlocked',
  'undone',
]

/** The history of insight `here` and what people corrected about it, as one list, newest first. */
export function chronicle(
  here: number,
  history: readonly InsightEvent[],
  corrections: readonly Correction[],
): HistoryEntry[] {
  const told = corrections.length > 0
  const events = history
    .filter(({ event, by }) => !told || by === undefined || !OF_CORRECTIONS.includes(event))
    .map(
      (one): HistoryEntry => ({
        at: one.at,
        words: eventInWords(one),
        other: one.other ?? null,
        by: one.by ?? null,
        undone: null,
        correction: null,
      }),
    )
  const corrected = corrections.map(
    (correction): HistoryEntry => ({
      at: correction.at,
      ...correctionInWords(correction, here),
      by: correction.by,
      undone: endOf(correction),
      correction,
    }),
  )
  return [...corrected, ...events].sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
}

function endOf({ state, undone_by, problem }: Correction): string | null {
  if (state === 'undone') return undone_by === null ? 'undone' : `undone by ${undone_by}`
  if (state === 'refused') return `not carried out: ${problem ?? 'the insight has changed'}`
  return state === 'waiting' ? 'waiting' : null
}
