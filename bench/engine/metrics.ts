/** Scores of a grouping against labels. All figures are percentages, 0 to 100. */
export type Scores = {
  precision: number
  recall: number
  f1: number
  /** F1 over pairs of texts: same group versus same label */
  pairs: number
  nmi: number
  acc: number
  ari: number
  coverage: number
  noiseGrouped: number
  groups: number
}

/**
 * B³ precision, recall, F1 and pairwise F1 over all texts; NMI (arithmetic), one-to-one accuracy and adjusted Rand
 * index over labelled texts; the share of labelled texts that are grouped, and of noise. Texts with a null group or
 * label count as singletons.
 */
export function scoreGrouping(groups: (number | null)[], labels: (string | null)[]): Scores {
  const groupIds = alone(groups)
  const labelIds = alone(labels)
  const cells = new Map<string, number>()
  const groupSizes = tally(groupIds)
  const labelSizes = tally(labelIds)
  for (let i = 0; i < groups.length; i++) {
    const key = `${groupIds[i]} ${labelIds[i]}`
    cells.set(key, (cells.get(key) ?? 0) + 1)
  }
  let precision = 0
  let recall = 0
  let real = 0
  let grouped = 0
  let noise = 0
  let noiseGrouped = 0
  for (let i = 0; i < groups.length; i++) {
    const shared = cells.get(`${groupIds[i]} ${labelIds[i]}`) ?? 0
    precision += shared / (groupSizes.get(groupIds[i] as number) ?? 1)
    recall += shared / (labelSizes.get(labelIds[i] as number) ?? 1)
    if (labels[i] === null) noise++
    else real++
    if (groups[i] !== null && labels[i] === null) noiseGrouped++
    if (groups[i] !== null && labels[i] !== null) grouped++
  }
  precision /= groups.length || 1
  recall /= groups.length || 1
  const kept = groups.map((_, i) => i).filter((i) => labels[i] !== null)
  const keptGroups = kept.map((i) => groupIds[i] as number)
  const keptLabels = kept.map((i) => labelIds[i] as number)
  return {
    precision: 100 * precision,
    recall: 100 * recall,
    f1: precision + recall > 0 ? (200 * precision * recall) / (precision + recall) : 0,
    pairs: 100 * pairF1(groupIds, labelIds),
    nmi: 100 * mutualInformation(keptGroups, keptLabels),
    acc: 100 * matchedShare(keptGroups, keptLabels),
    ari: 100 * adjustedRand(keptGroups, keptLabels),
    coverage: real > 0 ? (100 * grouped) / real : 0,
    noiseGrouped: noise > 0 ? (100 * noiseGrouped) / noise : 0,
    groups: new Set(groups.filter((group) => group !== null)).size,
  }
}

function alone(values: (number | string | null)[]): number[] {
  const ids = new Map<number | string, number>()
  let next = 0
  return values.map((value) => {
    if (value === null) return next++
    const known = ids.get(value)
    if (known !== undefined) return known
    ids.set(value, next)
    return next++
  })
}

function tally(values: number[]): Map<number, number> {
  const counts = new Map<number, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

function cellsOf(a: number[], b: number[]): Map<number, Map<number, number>> {
  const cells = new Map<number, Map<number, number>>()
  for (let i = 0; i < a.length; i++) {
    const row = cells.get(a[i] as number) ?? new Map<number, number>()
    cells.set(a[i] as number, row)
    row.set(b[i] as number, (row.get(b[i] as number) ?? 0) + 1)
  }
  return cells
}

/** The number of pairs together in both, in the first, in the second, and overall. */
function pairsOf(a: number[], b: number[]): { both: number; first: number; second: number; all: number } {
  const choose = (n: number) => (n * (n - 1)) / 2
  const sum = (sizes: Iterable<number>) => [...sizes].reduce((total, size) => total + choose(size), 0)
  const both = [...cellsOf(a, b).values()].reduce((total, row) => total + sum(row.values()), 0)
  return { both, first: sum(tally(a).values()), second: sum(tally(b).values()), all: choose(a.length) }
}

function pairF1(groups: number[], labels: number[]): number {
  const { both, first, second } = pairsOf(groups, labels)
  return first + second > 0 ? (2 * both) / (first + second) : 0
}

function adjustedRand(groups: number[], labels: number[]): number {
  const { both, first, second, all } = pairsOf(groups, labels)
  const chance = all > 0 ? (first * second) / all : 0
  const most = (first + second) / 2
  return most > chance ? (both - chance) / (most - chance) : 1
}

function mutualInformation(a: number[], b: number[]): number {
  const n = a.length
  if (n === 0) return 0
  const sizesA = tally(a)
  const sizesB = tally(b)
  let mutual = 0
  for (const [left, row] of cellsOf(a, b)) {
    for (const [right, count] of row) {
      mutual += (count / n) * Math.log((count * n) / ((sizesA.get(left) ?? 1) * (sizesB.get(right) ?? 1)))
    }
  }
  const entropy = (sizes: Map<number, number>) =>
    [...sizes.values()].reduce((sum, size) => sum - (size / n) * Math.log(size / n), 0)
  const mean = (entropy(sizesA) + entropy(sizesB)) / 2
  return mean > 0 ? mutual / mean : 1
}

/** The share of texts under the best one-to-one assignment of groups to labels (Hungarian algorithm). */
function matchedShare(groups: number[], labels: number[]): number {
  const cells = cellsOf(groups, labels)
  const rows = [...tally(labels).keys()]
  const columns = [...cells.values()]
  while (columns.length < rows.length) columns.push(new Map())
  const cost = rows.map((label) => columns.map((column) => -(column.get(label) ?? 0)))
  return groups.length > 0 ? -cheapest(cost) / groups.length : 0
}

/** The minimum cost of assigning each row its own column; rows ≤ columns. */
function cheapest(cost: number[][]): number {
  const n = cost.length
  const m = cost[0]?.length ?? 0
  const u = new Float64Array(n + 1)
  const v = new Float64Array(m + 1)
  const matched = new Int32Array(m + 1)
  for (let row = 1; row <= n; row++) {
    matched[0] = row
    let column = 0
    const least = new Float64Array(m + 1).fill(Number.POSITIVE_INFINITY)
    const way = new Int32Array(m + 1)
    const used = new Uint8Array(m + 1)
    do {
      used[column] = 1
      const current = matched[column] as number
      let delta = Number.POSITIVE_INFINITY
      let next = 0
      for (let j = 1; j <= m; j++) {
        if (used[j]) continue
        const slack = (cost[current - 1]?.[j - 1] ?? 0) - (u[current] as number) - (v[j] as number)
        if (slack < (least[j] as number)) {
          least[j] = slack
          way[j] = column
        }
        if ((least[j] as number) < delta) {
          delta = least[j] as number
          next = j
        }
      }
      for (let j = 0; j <= m; j++) {
        if (used[j]) {
          const at = matched[j] as number
          u[at] = (u[at] as number) + delta
          v[j] = (v[j] as number) - delta
        } else least[j] = (least[j] as number) - delta
      }
      column = next
    } while (matched[column] !== 0)
    do {
      const previous = way[column] as number
      matched[column] = matched[previous] as number
      column = previous
    } while (column !== 0)
  }
  return -(v[0] as number)
}
