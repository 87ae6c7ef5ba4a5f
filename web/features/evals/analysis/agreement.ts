import type { ScoredRow } from './scored-rows.ts'

/** How two evaluators rank the same rows. `value`: from −1 to 1; null: fewer than two rows, or one of them gives all rows the same score. `rows`: scored by both. */
export type Agreement = { value: number | null; rows: number }

/**
 * The agreement of each evaluator with each, as Spearman's rank correlation of their scores (equal scores share the mean rank): 1, the same order; 0,
 * no relation; −1, the opposite order. It needs no common scale.
 */
export function agreementOf(evaluators: readonly string[], rows: readonly ScoredRow[]): Agreement[][] {
  const below = evaluators.map((_, first) =>
    Array.from({ length: first + 1 }, (__, second) => agreementOfTwo(rows, first, second)),
  )
  return below.map((row, first) => [
    ...row,
    ...below.slice(first + 1).flatMap((later) => later.slice(first, first + 1)),
  ])
}

function agreementOfTwo(rows: readonly ScoredRow[], first: number, second: number): Agreement {
  const pairs = rows.flatMap(({ scores }) => {
    const [one, other] = [scores[first] ?? null, scores[second] ?? null]
    return one === null || other === null ? [] : [[one, other] as const]
  })
  const value = correlation(ranksOf(pairs.map(([one]) => one)), ranksOf(pairs.map(([, other]) => other)))
  return { value, rows: pairs.length }
}

/** The rank of each number, from 1; equal ones get the mean of their ranks. */
function ranksOf(numbers: readonly number[]): number[] {
  const order = numbers.map((value, index) => ({ value, index })).toSorted((a, b) => a.value - b.value)
  const ranks: number[] = Array.from({ length: numbers.length })
  for (let start = 0; start < order.length; ) {
    let end = start + 1
    while (end < order.length && order[end]?.value === order[start]?.value) end += 1
    for (const { index } of order.slice(start, end)) ranks[index] = (start + 1 + end) / 2
    start = end
  }
  return ranks
}

function correlation(xs: readonly number[], ys: readonly number[]): number | null {
  const [meanX, meanY] = [mean(xs), mean(ys)]
  let [both, ofX, ofY] = [0, 0, 0]
  for (const [index, x] of xs.entries()) {
    const [dx, dy] = [x - meanX, (ys[index] ?? 0) - meanY]
    both += dx * dy
    ofX += dx * dx
    ofY += dy * dy
  }
  return ofX === 0 || ofY === 0 ? null : both / Math.sqrt(ofX * ofY)
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0) / Math.max(1, numbers.length)
}

/** A sentence about the table: how many pairs there are, which two agree most and which least. */
export function describeAgreement(evaluators: readonly string[], table: readonly Agreement[][]): string {
  const pairs = evaluators.flatMap((name, first) =>
    evaluators.slice(0, first).flatMap((other, second) => {
      const { value, rows } = table[first]?.[second] ?? { value: null, rows: 0 }
      return value === null
        ? []
        : [{ value, words: `${other} and ${name} (${formatAgreement(value)}, ${rows} responses)` }]
    }),
  )
  const ordered = pairs.toSorted((a, b) => b.value - a.value)
  const [most, least] = [ordered[0], ordered.at(-1)]
  if (!most || !least) return 'No two evaluators scored enough of the same responses differently to be compared.'
  if (most === least) return `Agreement of ${most.words}.`
  return `The most agreement: ${most.words}. The least: ${least.words}.`
}

/** An agreement to two decimals, with a minus sign. */
export function formatAgreement(value: number): string {
  return `${value < 0 ? '−' : ''}${Math.abs(value).toFixed(2)}`
}
