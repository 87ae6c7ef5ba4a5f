import { seededRandom } from '@groundswell/engine/clustering/random.ts'

/** How often a simulated reviewer says yes where that is right, and where it is wrong: 0 to 1. */
export type ReviewRates = { right: number; wrong: number }

export type Reviewing = {
  rates: ReviewRates
  seed: number
  /** the subject of a statement; null: noise, which no two statements share */
  labelOf: (statementId: string) => string | null
  vectorOf: (statementId: string) => Float32Array
}

/** An insight is reviewed when it is new or has this many times as many statements as at its last review. */
const GROWTH = 1.25
/** The nearest insights, of which each may be the same problem. */
const NEAREST = 5
/** Later ones change little. */
const MAX_ROUNDS = 4

/** `seen`: statements of which the reviewer said that they belong here. `answers`: whether others are the same problem. */
type Insight = { statements: string[]; reviewed: number; seen: Set<string>; answers: Map<Insight, boolean> }

/**
 * What review makes of insights (ids of their statements), by a reviewer that knows the labels and errs at these rates. An insight is
 * reviewed when it is new or has grown. Each statement that was not seen there before may be called a stranger: those of one subject become
 * a part of their own; a single one is in no insight afterwards, if it is less alike to the others than most. Then each of the five nearest
 * insights may be called the same problem; two are merged if the reviews of both say so. Deterministic.
 */
export function review(insights: readonly (readonly string[])[], reviewing: Reviewing): string[][] {
  const random = seededRandom(reviewing.seed)
  let open = insights.map((statements) => insightOf([...statements]))
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const due = open.filter(isDue)
    if (due.length === 0) break
    const parts = due.flatMap((insight) => sendAway(insight, reviewing, random))
    open = [...open, ...parts].filter(({ statements }) => statements.length > 1)
    for (const insight of due.filter((one) => open.includes(one))) {
      ask(insight, open, reviewing, random)
      insight.reviewed = insight.statements.length
    }
    open = mergeSame(open)
  }
  return open.map(({ statements }) => statements)
}

function insightOf(statements: string[]): Insight {
  return { statements, reviewed: 0, seen: new Set(), answers: new Map() }
}

function isDue({ statements, reviewed }: Insight): boolean {
  return statements.length >= reviewed * GROWTH
}

/** Removes what the reviewer says is about something else; returns the parts that it names. */
function sendAway(insight: Insight, { rates, labelOf, vectorOf }: Reviewing, random: () => number): Insight[] {
  const subject = subjectOf(insight, labelOf)
  const named = new Map<string, string[]>()
  const staying = insight.statements.filter((id) => {
    if (insight.seen.has(id)) return true
    insight.seen.add(id)
    const label = labelOf(id)
    const isStranger = label === null || label !== subject
    if (random() >= (isStranger ? rates.right : rates.wrong)) return true
    if (label !== null && isStranger) named.set(label, [...(named.get(label) ?? []), id])
    return false
  })
  const single = (id: string) => (named.get(labelOf(id) ?? '')?.length ?? 0) < 2
  const doubted = insight.statements.filter((id) => !staying.includes(id) && single(id))
  const alike = likeness(insight, vectorOf)
  const median = [...alike.values()].sort((a, b) => a - b)[Math.floor(alike.size / 2)] ?? 0
  insight.statements = [...staying, ...doubted.filter((id) => (alike.get(id) as number) >= median)]
  return [...named.values()].filter(({ length }) => length > 1).map(insightOf)
}

/** How alike each statement is to all of the insight. */
function likeness(insight: Insight, vectorOf: Reviewing['vectorOf']): Map<string, number> {
  const mean = meanOf(insight, vectorOf)
  return new Map(insight.statements.map((id) => [id, cosine(vectorOf(id), mean)]))
}

/** Asks which of the nearest insights are the same problem. */
function ask(
  insight: Insight,
  open: readonly Insight[],
  { rates, labelOf, vectorOf }: Reviewing,
  random: () => number,
): void {
  const subject = subjectOf(insight, labelOf)
  const own = meanOf(insight, vectorOf)
  const nearest = open
    .filter((other) => other !== insight)
    .map((other) => ({ other, alike: cosine(own, meanOf(other, vectorOf)) }))
    .sort((a, b) => b.alike - a.alike)
    .slice(0, NEAREST)
  for (const { other } of nearest) {
    const isSame = subject !== null && subject === subjectOf(other, labelOf)
    insight.answers.set(other, random() < (isSame ? rates.right : rates.wrong))
  }
}

/** Merges insights that the reviews of both call the same. */
function mergeSame(open: readonly Insight[]): Insight[] {
  const merged = new Set<Insight>()
  for (const insight of open) {
    if (merged.has(insight)) continue
    for (const [other, isSame] of insight.answers) {
      if (!isSame || other === insight || merged.has(other) || !open.includes(other)) continue
      if (!other.answers.get(insight)) continue
      insight.statements.push(...other.statements)
      merged.add(other)
    }
  }
  return open.filter((one) => !merged.has(one))
}

/** The most frequent subject, the first among equals; null if there is none. */
function subjectOf({ statements }: Insight, labelOf: Reviewing['labelOf']): string | null {
  const counts = new Map<string, number>()
  for (const id of statements) {
    const label = labelOf(id)
    if (label !== null) counts.set(label, (counts.get(label) ?? 0) + 1)
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null
}

function meanOf({ statements }: Insight, vectorOf: Reviewing['vectorOf']): Float32Array {
  const [first, ...others] = statements.map(vectorOf)
  const mean = Float32Array.from(first ?? [])
  for (const vector of others) {
    for (let i = 0; i < mean.length; i++) mean[i] = (mean[i] as number) + (vector[i] as number)
  }
  return mean
}

function cosine(a: Float32Array, b: Float32Array): number {
  let product = 0
  let ofA = 0
  let ofB = 0
  for (let i = 0; i < a.length; i++) {
    product += (a[i] as number) * (b[i] as number)
    ofA += (a[i] as number) ** 2
    ofB += (b[i] as number) ** 2
  }
  return product / Math.sqrt(ofA * ofB || 1)
}
