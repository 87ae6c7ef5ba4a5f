/** Agreement of two judges beyond chance. `low` and `high`: the 95% interval. `items`: how many both graded. */
export type Agreement = { kappa: number; low: number; high: number; observed: number; items: number }

const Z_95 = 1.959964

/**
 * Cohen's kappa of two judges' categories for the same items, with its 95% interval by the large-sample variance of Fleiss, Cohen and Everitt (1969).
 * Null without items, and where chance alone would agree always: both gave everything the same category.
 */
export function cohensKappa(pairs: readonly (readonly [string, string])[]): Agreement | null {
  const items = pairs.length
  if (items === 0) return null
  const categories = [...new Set(pairs.flat())]
  const share = (fits: (pair: readonly [string, string]) => boolean) => pairs.filter(fits).length / items
  const first = new Map(categories.map((one) => [one, share(([a]) => a === one)]))
  const second = new Map(categories.map((one) => [one, share(([, b]) => b === one)]))
  const observed = share(([a, b]) => a === b)
  const expected = categories.reduce((sum, one) => sum + (first.get(one) ?? 0) * (second.get(one) ?? 0), 0)
  if (expected === 1) return null
  const kappa = (observed - expected) / (1 - expected)
  let agreeing = 0
  let differing = 0
  for (const a of categories) {
    for (const b of categories) {
      const both = share((pair) => pair[0] === a && pair[1] === b)
      if (a === b) agreeing += both * (1 - ((first.get(a) ?? 0) + (second.get(a) ?? 0)) * (1 - kappa)) ** 2
      else differing += both * ((second.get(a) ?? 0) + (first.get(b) ?? 0)) ** 2
    }
  }
  const variance =
    (agreeing + (1 - kappa) ** 2 * differing - (kappa - expected * (1 - kappa)) ** 2) / (items * (1 - expected) ** 2)
  const reach = Z_95 * Math.sqrt(Math.max(0, variance))
  return { kappa, low: Math.max(-1, kappa - reach), high: Math.min(1, kappa + reach), observed, items }
}

/** The variance of repeated grades of one item: of the sample, 0 for fewer than two. */
export function varianceOf(grades: readonly number[]): number {
  if (grades.length < 2) return 0
  const average = grades.reduce((sum, one) => sum + one, 0) / grades.length
  return grades.reduce((sum, one) => sum + (one - average) ** 2, 0) / (grades.length - 1)
}
