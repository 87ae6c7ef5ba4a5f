import type { Correction, CorrectionRequest } from '@groundswell/contract/corrections.ts'
import type { InsightEvent } from '@groundswell/contract/insights/insight-detail.ts'
import { correctionText } from '../corrections/correction-words.ts'
import { eventText } from './event-words.ts'

/**
 * One line of an insight's history. `other`: an insight to link to after the text. `undone`: whether it was undone, and by
 * whom. `reversal`: the correction that undoes what the language model did.
 */
export type HistoryEntry = {
  at: string
  words: string
  other: number | null
  by: string | null
  undone: string | null
  correction: Correction | null
  reversal: CorrectionRequest | null
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
  point: ['point'],
}

/** Mentions that reviews by the language model took out of an insight, and those of insights that they merged into it. */
export type Reviewed = {
  moved: readonly string[]
  merged: readonly { issue_number: number; mentions: readonly string[] }[]
}

/** The history of insight `here` with its corrections as one list, newest first. */
export function chronicle(
  here: number,
  history: readonly InsightEvent[],
  corrections: readonly Correction[],
  { moved, merged }: Reviewed = { moved: [], merged: [] },
): HistoryEntry[] {
  const listed = new Set<string | undefined>(corrections.map(({ kind }) => kind))
  const isTold = ({ event, by, tag }: InsightEvent) =>
    by !== undefined && (event === 'undone' ? listed.has(tag) : LEFT_BY[event]?.some((kind) => listed.has(kind)))
  const lastReview = moved.length > 0 ? history.find(({ event }) => event === 'reviewed_out') : undefined
  const mergedBy = new Map(
    merged.flatMap(({ issue_number, mentions }) => {
      const one = history.find(({ event, other }) => event === 'reviewed_in' && other === issue_number)
      return one ? [[one, mentions] as const] : []
    }),
  )
  const reversalOf = (one: InsightEvent): CorrectionRequest | null => {
    if (one === lastReview) return { kind: 'add', mentions: [...moved] }
    const mentions = mergedBy.get(one)
    return mentions ? { kind: 'split', mentions: [...mentions] } : null
  }
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
        reversal: reversalOf(one),
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
      reversal: null,
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
