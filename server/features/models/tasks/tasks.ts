import type { ModelTask } from '../task.ts'
import { joins } from './joins/task.ts'
import { names } from './names/task.ts'
import { readings } from './readings/task.ts'
import { reviews } from './reviews/task.ts'
import { splits } from './splits/task.ts'

/**
 * All tasks, in the order of precedence: what is read is grouped, reviewed and then named; the pieces of a long message may be undecided, so splits come
 * before joins.
 */
export const tasks = { readings, reviews, names, splits, joins } as const satisfies Record<string, ModelTask>
/** The name of a task, as settings, logs and stored answers have it. */
export type TaskName = keyof typeof tasks
