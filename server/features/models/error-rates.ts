import type { ErrorRate } from '@groundswell/contract/models/error-rate.ts'
import { errorRate } from '@groundswell/engine/index.ts'
import type { Tx } from '../../platform/db/tenant.ts'
import { type ControlCounts, countControls, countReviewErrors } from '../insights/index.ts'
import { PROMPT_VERSIONS } from './prompt-versions.ts'

/** Reviews by a model that errs as often as this stop. By the simulation of record 130, errors of 5% are worth it, of 10% hardly, and of 20% do much harm. */
const MAX_REVIEW_ERRORS = 0.15

/** What controls say about a model. */
export function rateOf(counts: ControlCounts): ErrorRate {
  return { ...counts, rate: errorRate(counts) }
}

/** How often the model's reviews are wrong in a workspace, by the answers to their controls, and whether they have stopped because of it. */
export async function readReviewErrors(
  tx: Tx,
  workspaceId: string,
  model: string,
): Promise<{ errors: ErrorRate; stopped: boolean }> {
  const errors = rateOf(await countReviewErrors(tx, workspaceId, { model, promptVersion: PROMPT_VERSIONS.reviews }))
  return { errors, stopped: errors.rate >= MAX_REVIEW_ERRORS }
}

/** How often the model says yes to candidates of undecided messages that are surely wrong: `judgeOutcome` weighs its answers by that. */
export async function readJudgeErrors(tx: Tx, workspaceId: string): Promise<ErrorRate> {
  return rateOf(await countControls(tx, workspaceId, PROMPT_VERSIONS.joins))
}
