import { defineTask } from '../../define-task.ts'
import type { ModelTask } from '../../task.ts'
import { backlog } from './backlog.ts'
import { ask, find } from './cases.ts'
import { Strangers } from './schema.ts'

/** Takes mentions out of insights that they are not about. */
export const reviews: ModelTask = defineTask({
  folder: import.meta.dirname,
  promptVersion: 'review-insight-1',
  schema: Strangers,
  budgetShare: 0.5,
  maxCallsPerRun: 10,
  backlog,
  find,
  prepare: ask,
})
