import { defineTask } from '../../define-task.ts'
import { PROMPT_VERSIONS } from '../../prompt-versions.ts'
import type { ModelTask } from '../../task.ts'
import { ask, backlog, find } from './cases.ts'
import { Readings } from './schema.ts'

/** The longest reply about one batch. */
export const MAX_READING_TOKENS = 4_000

/** Reads messages into the points that they make, by which they are grouped. */
export const readings: ModelTask = defineTask({
  folder: import.meta.dirname,
  promptVersion: PROMPT_VERSIONS.readings,
  schema: Readings,
  budgetShare: 0.5,
  maxCallsPerRun: 24,
  maxOutputTokens: MAX_READING_TOKENS,
  backlog,
  find,
  prepare: ask,
})
