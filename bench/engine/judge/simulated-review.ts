import { seededRandom } from '@groundswell/engine/clustering/random.ts'
import { revise } from '@groundswell/engine/clustering/revise.ts'
import { issues } from '@groundswell/engine/corrections/remove.ts'
import { type ReviewMove, review } from '@groundswell/engine/corrections/review.ts'
import {
  agreedMerges,
  isReviewDue,
  meanDirection,
  nearestIssues,
  REVIEWED_FROM,
  reviewedCount,
} from '@groundswell/engine/corrections/review-plan.ts'
import { isEmerging } from '@groundswell/engine/model.ts'
import type { State } from '@groundswell/engine/state/state.ts'

/** How often a simulated reviewer says yes where that is right, and where it is wrong: 0 to 1. */
export type ReviewRates = { right: number; wrong: number }

type Reviewing = {
  rates: ReviewRates
  seed: number
  /** the subject of a statement; null: noise, which no two statements share */
  labelOf: (statementId: string) => string | null
  vectorOf: (statementId: string) => Float32Array
}

/** Later ones change little. */
const MAX_ROUNDS = 4

/** An insight as it is reviewed. `subject`: the most frequent one; null: all is noise. */
type Insight = { id: number; statements: string[]; subject: string | null; mean: Float32Array | null; mentions: number }

/**
 * Has the engine carry out what a reviewer says that knows the labels and errs at these rates, in rounds: insights that are new or have grown are
 * reviewed, two are merged if the reviews of both say so, and a revision follows. Deterministic. Changes the state in place.
 */
export function reviewState(state: State, reviewing: Reviewing): void {
  const random = seededRandom(reviewing.seed)
  const reviewed = new Map<number, number>()
  const same = new Map<number, readonly number[]>()
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const open = openInsights(state, reviewing)
    const due = open.filter(({ id, mentions }) => isReviewDue(mentions, reviewed.get(id) ?? 0))
    if (due.length === 0) return
    const moves: ReviewMove[] = []
    for (const insight of due) {
      const near = nearestIssues(insight, open)
      const shown = insight.statements.slice(-reviewedCount(insight.mentions, reviewed.get(insight.id) ?? 0))
      reviewed.set(insight.id, insight.mentions)
      const strangers = strangersOf({ ...insight, statements: shown }, near, reviewing, random)
      // Otherwise the product does not believe the reply.
      const isBelieved = strangers.length * 2 <= shown.length
      if (isBelieved) moves.push(...strangers)
      same.set(insight.id, isBelieved ? sameAs(insight, near, reviewing, random) : [])
    }
    const { merged } = review(state, { moves, merges: agreedMerges(open, same) })
    for (const { into, statementIds } of merged) reviewed.set(into, (reviewed.get(into) ?? 0) + statementIds.length)
    revise(state)
  }
}

function openInsights(state: State, { labelOf, vectorOf }: Reviewing): Insight[] {
  return [...issues(state)]
    .filter(({ issueId, visible, mentions }) => visible && !isEmerging(issueId) && mentions >= REVIEWED_FROM)
    .map(({ issueId, mentions, statementIds }) => ({
      id: issueId,
      mentions,
      statements: statementIds,
      subject: subjectOf(statementIds, labelOf),
      mean: meanDirection(statementIds.map(vectorOf)),
    }))
}

/** What the reviewer says is about something else, of the statements that it sees. Those of one subject are a part, or belong to a near insight about it. */
function strangersOf(
  { id, statements, subject }: Insight,
  near: readonly Insight[],
  { rates, labelOf }: Reviewing,
  random: () => number,
): ReviewMove[] {
  const parts = new Map<string, number>()
  return statements.flatMap((statementId): ReviewMove[] => {
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

/** The most frequent subject, the first among equals; null if there is none. */
function subjectOf(statements: readonly string[], labelOf: Reviewing['labelOf']): string | null {
  const counts = new Map<string, number>()
  for (const id of statements) {
    const label = labelOf(id)
    if (label !== null) counts.set(label, (counts.get(label) ?? 0) + 1)
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null
}
