import type { Tx } from '../../../../platform/db/tenant.ts'
import { postponeReview, readReviewable, readUnreviewed } from '../../../insights/index.ts'
import { readReviewErrors } from '../../error-rates.ts'
import { readChoice } from '../../reading-choice-store.ts'
import type { Backlog } from '../../task.ts'

/** An insight to review. */
export type ReviewCase = { issueNumber: number }

const BUDGET_MINUTES = 60

/** Whether this model reviews insights of this workspace now: an owner has switched it on, reading is not paused, and the model is not too often wrong. */
export async function isReviewing(tx: Tx, workspaceId: string, model: string): Promise<boolean> {
  const choice = await readChoice(tx, workspaceId)
  return choice?.reviews === true && !choice.paused && !(await readReviewErrors(tx, workspaceId, model)).stopped
}

/** Insights wait one by one: each is left alone for a while after a call about it failed. */
export const backlog: Backlog<ReviewCase[]> = {
  isDue: async (tx, workspaceId, askedWith, now) =>
    (await isReviewing(tx, workspaceId, askedWith.model)) &&
    (await readUnreviewed(tx, workspaceId, { ...askedWith, now }, 1)).length > 0,
  finish: async () => undefined,
  postpone: async ({ services, workspaceId, askedWith, inside }, batch, reason) => {
    const minutes = reason === 'budget' ? { minutes: BUDGET_MINUTES } : {}
    for (const one of batch ?? [])
      await inside(async (tx) => {
        const reviewable = await readReviewable(tx, workspaceId, one.issueNumber)
        if (reviewable === null) return
        const { mentions } = reviewable
        await postponeReview(tx, workspaceId, { ...one, mentions }, { ...askedWith, now: services.now(), ...minutes })
      })
    return 'next'
  },
}
