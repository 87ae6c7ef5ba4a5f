import { defineTask } from '../../define-task.ts'
import { scanBacklog } from '../../scan.ts'
import type { ModelTask } from '../../task.ts'
import { find, prepare } from './cases.ts'
import { Verdicts } from './schema.ts'

/** Decides whether a message belongs to an insight that it nearly joined. */
export const joins: ModelTask = defineTask({
  folder: import.meta.dirname,
  promptVersion: 'judge-joins-1',
  schema: Verdicts,
  budgetShare: 0.5,
  maxCallsPerRun: 12,
  backlog: scanBacklog('joins'),
  find,
  prepare,
})
