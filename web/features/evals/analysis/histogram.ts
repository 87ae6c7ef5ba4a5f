const BINS = 10

/** How many scores are at least `from` and less than `to`; the last bin has those equal to `to` too. */
export type Bin = { from: number; to: number; count: number }

/** Ten bins of equal width: over 0 to 1 when all scores are there, otherwise over whole numbers around them. None without scores. */
export function histogramOf(scores: readonly number[]): Bin[] {
  if (scores.length === 0) return []
  let [low, high] = [0, 1]
  for (const score of scores) {
    low = Math.min(low, Math.floor(score))
    high = Math.max(high, Math.ceil(score))
  }
  const width = (high - low) / BINS
  const counts = Array.from({ length: BINS }, () => 0)
  for (const score of scores) {
    // A score on an edge, such as 0.3, must not fall below it by rounding.
    const bin = Math.min(BINS - 1, Math.floor((score - low) / width + 1e-9))
    counts[bin] = (counts[bin] ?? 0) + 1
  }
  return counts.map((count, index) => ({ from: low + index * width, to: low + (index + 1) * width, count }))
}
