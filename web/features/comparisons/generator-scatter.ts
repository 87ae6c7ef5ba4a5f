import { textOf } from '../../ui/text/plain-text.ts'
import type { ComparisonView } from './comparison-view.ts'

/** What of a generator's responses to one input is compared. */
export const MEASURES = [
  ['responses', 'Number of responses'],
  ['characters', 'Characters per response'],
] as const

/** What the axes of the scatter plot count. */
export type Measure = (typeof MEASURES)[number][0]

/** One input: what the first (x) and the second generator (y) made of it. */
export type ScatterPoint = { label: string; x: number; y: number }

/** Two generators over all inputs that both have responses to. */
export function scatterOf(
  comparisons: readonly ComparisonView[],
  first: number,
  second: number,
  measure: Measure,
): ScatterPoint[] {
  return comparisons.flatMap((comparison) => {
    const [x, y] = [measured(comparison, first, measure), measured(comparison, second, measure)]
    return x === null || y === null ? [] : [{ label: `${comparison.from} - ${comparison.to}`, x, y }]
  })
}

function measured({ rows }: ComparisonView, column: number, measure: Measure): number | null {
  const responses = rows.flatMap((row) => (row[column] ? [row[column]] : []))
  if (responses.length === 0) return null
  if (measure === 'responses') return responses.length
  const characters = responses.reduce(
    (sum, entries) => sum + entries.reduce((inner, [, value]) => inner + textOf(value).length, 0),
    0,
  )
  return Math.round(characters / responses.length)
}
