import { defineTask } from '../../define-task.ts'
import { PROMPT_VERSIONS } from '../../prompt-versions.ts'
import type { ModelTask } from '../../task.ts'
import { ask, backlog, find } from './cases.ts'
import { Verdicts } from './schema.ts'

/** Decides which insight, or which other messages, a message in no insight belongs with, if any. */
export const joins: ModelTask = defineTask({
  folder: import.meta.dirname,
  promptVersion: PROMPT_VERSIONS.joins,
  schema: Verdicts,
  budgetShare: 0.5,
  maxCallsPerRun: 12,
  backlog,
  find,
  prepare: ask,
})
