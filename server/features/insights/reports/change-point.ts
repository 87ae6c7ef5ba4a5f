/** Mentions of something in a period and in the one before it. */
type Amounts = { total: number; previous: number }

/** A change below these is chance or too small to tell. */
const MIN_MENTIONS = 5
const MIN_DEVIATIONS = 2
const MIN_FACTOR = 1.25
/** The main part of a change has at least this share of it, and exceeds its share of earlier mentions by this much. */
const MAIN_SHARE = 0.6
const MAIN_EXCESS = 0.15

/** Whether there are clearly more or fewer than before: more than counts of this size differ by chance. */
export function isClear({ total, previous }: Amounts): boolean {
  const both = total + previous
  return (
    both >= MIN_MENTIONS &&
    Math.abs(total - previous) >= MIN_DEVIATIONS * Math.sqrt(both) &&
    Math.max(total, previous) >= MIN_FACTOR * Math.min(total, previous)
  )
}

/**
 * The place in `counts`, one a day, from which there are more (`more`) or fewer than until then: where the sum of the differences from the average is least, or
 * most. Null if all days have the same count.
 */
export function changePoint(counts: readonly number[], more: boolean): number | null {
  const average = counts.reduce((sum, count) => sum + count, 0) / counts.length
  let [sum, extreme, place] = [0, 0, null as number | null]
  for (const [index, count] of counts.entries()) {
    sum += more ? average - count : count - average
    // What rounding leaves is no difference.
    if (sum > extreme + 1e-9 && index + 1 < counts.length) [extreme, place] = [sum, index + 1]
  }
  return place
}

/** What most of a change is of, and clearly more than before; null: of nothing in particular. Values that are not known have no key. */
export function mainShare<T extends Amounts & { key: string | null }>(values: readonly T[]): T | null {
  if (values.length < 2) return null
  const total = values.reduce((sum, one) => sum + one.total, 0)
  const previous = values.reduce((sum, one) => sum + one.previous, 0)
  const found = values
    .filter(({ key }) => key !== null)
    .map((value) => {
      const share = (value.total - value.previous) / (total - previous)
      return { value, share, excess: share - (previous === 0 ? 0 : value.previous / previous) }
    })
    .filter(({ share, excess }) => share >= MAIN_SHARE && excess >= MAIN_EXCESS)
    .sort((a, b) => b.excess - a.excess)
  return found[0]?.value ?? null
}
