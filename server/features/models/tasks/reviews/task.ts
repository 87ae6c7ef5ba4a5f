import { defineTask } from '../../define-task.ts'
import type { ModelTask } from '../../task.ts'
import { backlog } from './backlog.ts'
import { ask, find } from './cases.ts'
import { Review } from './schema.ts'

/** Takes mentions out of insights that they are not about, and merges insights that are the same problem. */
export const reviews: ModelTask = defineTask({
  folder: import.meta.dirname,
  promptVersion: 'review-insight-2',
  schema: Review,
  budgetShare: 0.5,
  maxCallsPerRun: 10,
  backlog,
  find,
  prepare: ask,
})
