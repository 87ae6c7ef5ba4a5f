/** One measurement. `target`: the product's target, if any; `value`: the median of `runs`, which has all values. */
export type Figure = {
  what: string
  value: number
  unit: string
  target?: { atMost?: number; atLeast?: number }
  runs: number[]
}

/** The median; for an even number of values the mean of the middle two. */
function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

export function figure(what: string, unit: string, runs: readonly number[], target?: Figure['target']): Figure {
  return { what, value: rounded(median(runs)), unit, target, runs: runs.map(rounded) }
}

/** Whether the target is met; null without a target. */
function meets({ value, target }: Figure): boolean | null {
  if (!target) return null
  return value <= (target.atMost ?? Number.POSITIVE_INFINITY) && value >= (target.atLeast ?? Number.NEGATIVE_INFINITY)
}

/** A Markdown table of figures. */
export function table(figures: readonly Figure[]): string {
  const rows = figures.map((one) => {
    const met = meets(one)
    const bound = one.target?.atMost ?? one.target?.atLeast
    const target = bound === undefined ? '' : `${one.target?.atMost === undefined ? '≥' : '≤'} ${shown(bound)}`
    return `| ${one.what} | ${shown(one.value)} ${one.unit} | ${target} | ${met === null ? '' : met ? 'met' : 'missed'} | ${one.runs.map(shown).join(', ')} |`
  })
  return ['| what | median | target | | runs |', '|---|---:|---:|---|---|', ...rows].join('\n')
}

function rounded(value: number): number {
  return Number(value.toPrecision(4))
}

function shown(value: number): string {
  return value.toLocaleString('en-US', { maximumSignificantDigits: 4 })
}
