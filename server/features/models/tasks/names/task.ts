import { defineTask } from '../../define-task.ts'
import { PROMPT_VERSIONS } from '../../prompt-versions.ts'
import type { ModelTask } from '../../task.ts'
import { backlog } from './backlog.ts'
import { find, prepare } from './cases.ts'
import { Reply } from './schema.ts'

/** Gives insights a better name and summary than the built-in ones. */
export const names: ModelTask = defineTask({
  folder: import.meta.dirname,
  promptVersion: PROMPT_VERSIONS.names,
  schema: Reply,
  budgetShare: 1,
  maxCallsPerRun: 20,
  backlog,
  find,
  prepare,
})
