import { seededRandom } from '@groundswell/engine/clustering/random.ts'
import { revise } from '@groundswell/engine/clustering/revise.ts'
import { issues } from '@groundswell/engine/corrections/remove.ts'
import { type ReviewMerge, type ReviewMove, review } from '@groundswell/engine/corrections/review.ts'
import { isEmerging } from '@groundswell/engine/model.ts'
import type { State } from '@groundswell/engine/state/state.ts'

/** How often a simulated reviewer says yes where that is right, and where it is wrong: 0 to 1. */
export type ReviewRates = { right: number; wrong: number }

export type Reviewing = {
  rates: ReviewRates
  seed: number
  /** the subject of a statement; null: noise, which no two statements share */
  labelOf: (statementId: string) => string | null
  vectorOf: (statementId: string) => Float32Array
}

// As in the product: server/features/insights/advice/review-store.ts, server/features/models/tasks/reviews/cases.ts.
const MIN_MENTIONS = 4
const GROWTH = 1.25
const MAX_SHOWN = 40
const MAX_NEAR = 5
/** Later ones change little. */
const MAX_ROUNDS = 4

/** An insight as it is reviewed. `subject`: the most frequent one; null: all is noise. */
type Insight = { id: number; statements: string[]; subject: string | null; mean: Float32Array }

/**
 * Has the engine carry out what a reviewer says that knows the labels and errs at these rates, in rounds: insights that are new or have grown are
 * reviewed, two are merged if the reviews of both say so, and a revision follows. Deterministic. Changes the state in place.
 */
export function reviewState(state: State, reviewing: Reviewing): void {
  const random = seededRandom(reviewing.seed)
  const reviewed = new Map<number, number>()
  const same = new Map<number, ReadonlySet<number>>()
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const open = openInsights(state, reviewing)
    const due = open.filter(({ id, statements }) => statements.length >= (reviewed.get(id) ?? 0) * GROWTH)
    if (due.length === 0) return
    const moves: ReviewMove[] = []
    for (const insight of due) {
      const near = nearest(insight, open)
      reviewed.set(insight.id, insight.statements.length)
      const strangers = strangersOf(insight, near, reviewing, random)
      // Otherwise the product does not believe the reply.
      const isBelieved = strangers.length * 2 <= Math.min(MAX_SHOWN, insight.statements.length)
      if (isBelieved) moves.push(...strangers)
      same.set(insight.id, new Set(isBelieved ? sameAs(insight, near, reviewing, random) : []))
    }
    const { merged } = review(state, { moves, merges: agreed(open, same) })
    for (const { into, statementIds } of merged) reviewed.set(into, (reviewed.get(into) ?? 0) + statementIds.length)
    revise(state)
  }
}

function openInsights(state: State, { labelOf, vectorOf }: Reviewing): Insight[] {
  return [...issues(state)]
    .filter(({ issueId, visible, mentions }) => visible && !isEmerging(issueId) && mentions >= MIN_MENTIONS)
    .map(({ issueId, statementIds }) => ({
      id: issueId,
      statements: statementIds,
      subject: subjectOf(statementIds, labelOf),
      mean: sumOf(statementIds.map(vectorOf)),
    }))
}

/** What the reviewer says is about something else. Those of one subject are a part, or belong to a near insight about it. */
function strangersOf(
  { id, statements, subject }: Insight,
  near: readonly Insight[],
  { rates, labelOf }: Reviewing,
  random: () => number,
): ReviewMove[] {
  const parts = new Map<string, number>()
  return statements.slice(-MAX_SHOWN).flatMap((statementId): ReviewMove[] => {
    const label = labelOf(statementId)
    const isStranger = label === null || label !== subject
    if (random() >= (isStranger ? rates.right : rates.wrong)) return []
    const move = { statementId, from: id, to: 0 }
    if (label === null || !isStranger) return [move]
    const to = near.find((other) => other.subject === label)?.id
    if (to !== undefined) return [{ ...move, to }]
    const part = parts.get(label) ?? parts.size + 1
    parts.set(label, part)
    return [{ ...move, part }]
  })
}

/** Which of the near insights the reviewer says are the same problem. */
function sameAs({ subject }: Insight, near: readonly Insight[], { rates }: Reviewing, random: () => number): number[] {
  return near
    .filter((other) => random() < (subject !== null && subject === other.subject ? rates.right : rates.wrong))
    .map(({ id }) => id)
}

/** The merges that the reviews of both insights ask for, the smaller into the larger, each insight once. */
function agreed(open: readonly Insight[], same: ReadonlyMap<number, ReadonlySet<number>>): ReviewMerge[] {
  const taken = new Set<number>()
  const bySize = open.toSorted((a, b) => b.statements.length - a.statements.length || a.id - b.id)
  return bySize.flatMap(({ id: into }, at) =>
    bySize.slice(at + 1).flatMap(({ id: from }) => {
      if (taken.has(into) || taken.has(from) || !same.get(into)?.has(from) || !same.get(from)?.has(into)) return []
      taken.add(into).add(from)
      return [{ from, into }]
    }),
  )
}

function nearest(insight: Insight, open: readonly Insight[]): Insight[] {
  return open
    .filter((other) => other !== insight)
    .map((other) => ({ other, alike: cosine(insight.mean, other.mean) }))
    .sort((a, b) => b.alike - a.alike)
    .slice(0, MAX_NEAR)
    .map(({ other }) => other)
}

/** The most frequent subject, the first among equals; null if there is none. */
function subjectOf(statements: readonly string[], labelOf: Reviewing['labelOf']): string | null {
  const counts = new Map<string, number>()
  for (const id of statements) {
    const label = labelOf(id)
    if (label !== null) counts.set(label, (counts.get(label) ?? 0) + 1)
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null
}

function sumOf(vectors: readonly Float32Array[]): Float32Array {
  const [first, ...others] = vectors
  const sum = Float32Array.from(first ?? [])
  for (const vector of others) for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) + (vector[i] as number)
  return sum
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
