import { defineTask } from '../../define-task.ts'
import { PROMPT_VERSIONS } from '../../prompt-versions.ts'
import type { ModelTask } from '../../task.ts'
import { backlog, find, prepare } from './cases.ts'
import { Pieces } from './schema.ts'

/** Divides long messages into the separate points they make. */
export const splits: ModelTask = defineTask({
  folder: import.meta.dirname,
  promptVersion: PROMPT_VERSIONS.splits,
  schema: Pieces,
  budgetShare: 0.5,
  maxCallsPerRun: 10,
  backlog,
  find,
  prepare,
})
