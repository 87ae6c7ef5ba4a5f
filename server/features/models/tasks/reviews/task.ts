import { defineTask } from '../../define-task.ts'
import { PROMPT_VERSIONS } from '../../prompt-versions.ts'
import type { ModelTask } from '../../task.ts'
import { backlog } from './backlog.ts'
import { ask, find } from './cases.ts'
import { Reviews } from './schema.ts'

/** The longest reply about one batch. */
export const MAX_REVIEW_TOKENS = 3_000

/** Takes mentions out of insights that they are not about, merges insights that are the same problem, and names insights. */
export const reviews: ModelTask = defineTask({
  folder: import.meta.dirname,
  promptVersion: PROMPT_VERSIONS.reviews,
  schema: Reviews,
  budgetShare: 0.5,
  maxCallsPerRun: 10,
  maxOutputTokens: MAX_REVIEW_TOKENS,
  backlog,
  find,
  prepare: ask,
})
