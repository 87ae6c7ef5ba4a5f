import { dotAt } from '../text/dot.ts'
import type { ReviewMerge } from './review.ts'

/** An issue is reviewed when it has this many statements, and again when it has `REVIEW_GROWTH` times as many. */
export const REVIEWED_FROM = 4
/** The factor by which an issue must have grown to be reviewed again. */
export const REVIEW_GROWTH = 1.25
/** Statements that a review sees, the newest, and other issues. */
export const MAX_REVIEWED = 40
/** Statements that a review of a reviewed issue sees beside those that came since. */
const REVIEWED_BESIDE = 6
/** The most other issues that a review sees. */
export const MAX_NEAR = 5

/** An issue to review. `mean`: of the vectors of its statements, of length 1; null: there are none. */
export type Reviewable = { id: number; mentions: number; mean: Float32Array | null }

/** Whether an issue is new or has grown since the review at which it had `reviewed` statements; 0: there was none. */
export function isReviewDue(mentions: number, reviewed: number): boolean {
  return mentions >= Math.max(REVIEWED_FROM, reviewed * REVIEW_GROWTH)
}

/** How many statements a review sees, the newest. `reviewed`: how many the issue had at its last review; 0: there was none. */
export function reviewedCount(mentions: number, reviewed: number): number {
  const count = reviewed === 0 ? mentions : Math.max(0, mentions - reviewed) + REVIEWED_BESIDE
  return Math.min(MAX_REVIEWED, count)
}

/** The issues most similar to one in meaning, the most similar first. */
export function nearestIssues<T extends Reviewable>(issue: T, all: readonly T[]): T[] {
  const { mean } = issue
  return all
    .filter((other) => other !== issue)
    .map((other) => ({ other, alike: mean && other.mean ? dotAt(mean, 0, other.mean, 0, mean.length) : 0 }))
    .sort((a, b) => b.alike - a.alike)
    .slice(0, MAX_NEAR)
    .map(({ other }) => other)
}

/**
 * The merges that the reviews of both issues ask for, the smaller into the larger, the largest first and each issue once. `same`: by issue, those that
 * its review calls the same problem.
 */
export function agreedMerges(
  all: readonly Pick<Reviewable, 'id' | 'mentions'>[],
  same: ReadonlyMap<number, readonly number[]>,
): ReviewMerge[] {
  const bySize = all.toSorted((a, b) => b.mentions - a.mentions || a.id - b.id)
  const taken = new Set<number>()
  return bySize.flatMap(({ id: into }, at) =>
    bySize.slice(at + 1).flatMap(({ id: from }) => {
      const isAgreed = same.get(into)?.includes(from) && same.get(from)?.includes(into)
      if (!isAgreed || taken.has(into) || taken.has(from)) return []
      taken.add(into).add(from)
      return [{ from, into }]
    }),
  )
}

/** The mean direction of vectors, of length 1; null without any. */
export function meanDirection(vectors: readonly Float32Array[]): Float32Array | null {
  const [first, ...others] = vectors
  if (!first) return null
  const sum = Float32Array.from(first)
  for (const vector of others) for (const [at, value] of vector.entries()) sum[at] = (sum[at] as number) + value
  const length = Math.hypot(...sum)
  return length > 0 ? sum.map((value) => value / length) : sum
}
