import type { SentenceEncoder } from '@groundswell/engine/group.ts'
import { textsToEncode } from '@groundswell/engine/group.ts'
import { itemIdOf } from '@groundswell/engine/state/state.ts'
import { withOtherSynonyms } from './drift.ts'
import { encoderOf } from './encoder/encoder.ts'
import { insightGroups, shownStatements } from './insight-groups.ts'
import { type ReviewRates, reviewState } from './judge/simulated-review.ts'
import { scoreGrouping } from './metrics.ts'
import { type ShownScores, scoreShown } from './shown-insights.ts'
import { type Row, type StreamResult, stream } from './stream.ts'

const REVIEWER: ReviewRates = { right: 0.9, wrong: 0.05 }

/** The figures of one run; what a run has no figure for is absent. */
export type ReadRun = Omit<StreamResult, 'state'> | (ShownScores & { shownF1: number })
type ReadMethod = { method: string; runs: ReadRun[] }

/** The vectors of all points, and texts without one; null without the encoder's weights. */
export function encoderFor(rows: readonly Row[]): Promise<SentenceEncoder | null> {
  return encoderOf(
    textsToEncode(rows.map(({ text, points }, i) => ({ id: `${i}`, text, at: 0, ...(points ? { points } : {}) }))),
  )
}

/**
 * The engine on what was read in these messages: by words, by sentences, by sentences where each batch was read in other words, and what a
 * simulated review would then make of the insights.
 */
export async function readRuns(rowsOf: (seed: number) => Row[], seeds: number): Promise<ReadMethod[]> {
  const numbers = Array.from({ length: seeds }, (_, i) => i + 1)
  const words = numbers.map((seed) => withoutState(stream(rowsOf(seed), seed)))
  const encoder = await encoderFor(numbers.flatMap(rowsOf))
  const drifted = (seed: number) => withOtherSynonyms(rowsOf(seed))
  const driftedEncoder = await encoderFor(numbers.flatMap(drifted))
  const methods = [{ method: 'engine, read, words', runs: words }]
  if (!encoder || !driftedEncoder) return methods
  const sentences = numbers.map((seed) => ({ seed, result: stream(rowsOf(seed), seed, { encoder }) }))
  const others = numbers.map((seed) => withoutState(stream(drifted(seed), seed, { encoder: driftedEncoder })))
  return [
    ...methods,
    { method: 'engine, read, sentences', runs: sentences.map(({ result }) => withoutState(result)) },
    { method: '… each batch with other synonyms', runs: others },
    {
      method: '… and a simulated review',
      runs: sentences.map(({ seed, result }) => reviewedRun(rowsOf(seed), result, { encoder, seed })),
    },
  ]
}

function withoutState(result: StreamResult): Omit<StreamResult, 'state'> {
  const { state: _, ...scores } = result
  return scores
}

/** What reviews, simulated from the labels, make of the insights. Changes the state. */
export function reviewedRun(
  rows: readonly Row[],
  { state }: Pick<StreamResult, 'state'>,
  { encoder, seed }: { encoder: SentenceEncoder; seed: number },
): ShownScores & { shownF1: number } {
  const byId = new Map(rows.map((row) => [row.id as string, row]))
  const pointOf = (id: string) =>
    byId.get(itemIdOf(id))?.points?.[Number(id.slice(id.lastIndexOf(':') + 1))]?.point ?? ''
  reviewState(state, {
    rates: REVIEWER,
    seed,
    labelOf: (id) => byId.get(itemIdOf(id))?.label ?? null,
    vectorOf: (id) => encoder.vectors.get(pointOf(id)) as Float32Array,
  })
  const insights = shownStatements(state)
  const labels = rows.map(({ label }) => label)
  const groups = insightGroups(insights, [...byId.keys()])
  const places = new Map([...byId.keys()].map((id, place) => [id, place]))
  const shown = insights.map((ids) => ({
    emerging: false,
    members: [...new Set(ids.map((id) => places.get(itemIdOf(id)) as number))],
    suggested: [],
  }))
  return { ...scoreShown(shown, labels), shownF1: scoreGrouping(groups, labels).f1 }
}
