import { defineTask } from '../../define-task.ts'
import type { ModelTask } from '../../task.ts'
import { backlog, find, prepare } from './cases.ts'
import { Pieces } from './schema.ts'

/** Divides long messages into the separate points they make. */
export const splits: ModelTask = defineTask({
  folder: import.meta.dirname,
  promptVersion: 'split-message-1',
  schema: Pieces,
  budgetShare: 0.5,
  maxCallsPerRun: 10,
  backlog,
  find,
  prepare,
})
