import type { Correction } from '@groundswell/contract/corrections.ts'
import type { InsightEvent } from '@groundswell/contract/insight-detail.ts'
import { correctionText } from '../corrections/correction-words.ts'
import { eventText } from './event-words.ts'

/**
 * One line of an insight's history. `other`: an insight to link to after the text. `undone`: whether it was undone, and by
 * whom. `isReturnable`: it is the last review by the language model, and what reviews moved can be put back.
 */
export type HistoryEntry = {
  at: string
  words: string
  other: number | null
  by: string | null
  undone: string | null
  correction: Correction | null
  isReturnable: boolean
  /** Some of the messages that came or left. */
  messages: NonNullable<InsightEvent['change']>['messages']
}

/** The corrections that cause an event of this kind: where such a correction is listed, its event is omitted. */
const LEFT_BY: Partial<Record<InsightEvent['event'], readonly Correction['kind'][]>> = {
  merged: ['merge'],
  absorbed: ['merge'],
  renamed: ['rename'],
  moved_out: ['move'],
  moved_in: ['move', 'add', 'create'],
  split_off: ['split'],
  split_from: ['split'],
  rejected: ['reject'],
  locked: ['lock'],
  unlocked: ['lock'],
}

/** The history of insight `here` with its corrections as one list, newest first. `moved`: mentions that reviews took out of it. */
export function chronicle(
  here: number,
  history: readonly InsightEvent[],
  corrections: readonly Correction[],
  moved: readonly string[] = [],
): HistoryEntry[] {
  const listed = new Set<string | undefined>(corrections.map(({ kind }) => kind))
  const isTold = ({ event, by, tag }: InsightEvent) =>
    by !== undefined && (event === 'undone' ? listed.has(tag) : LEFT_BY[event]?.some((kind) => listed.has(kind)))
  const lastReview = moved.length > 0 ? history.find(({ event }) => event === 'reviewed_out') : undefined
  const events = history
    .filter((one) => !isTold(one))
    .map(
      (one): HistoryEntry => ({
        at: one.at,
        words: eventText(one),
        other: one.other ?? null,
        by: one.by ?? null,
        undone: null,
        correction: null,
        isReturnable: one === lastReview,
        messages: one.change?.messages ?? [],
      }),
    )
  const corrected = corrections.map(
    (correction): HistoryEntry => ({
      at: correction.at,
      ...correctionText(correction, here),
      by: correction.by,
      undone: endOf(correction),
      correction,
      isReturnable: false,
      messages: [],
    }),
  )
  return [...corrected, ...events].sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
}

function endOf({ state, undone_by, problem }: Correction): string | null {
  if (state === 'undone') return undone_by === null ? 'undone' : `undone by ${undone_by}`
  if (state === 'refused') return `not applied: ${problem ?? 'the insight has changed'}`
  return state === 'waiting' ? 'waiting' : null
}
