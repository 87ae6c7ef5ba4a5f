import type { ModelTask } from '../task.ts'
import { joins } from './joins/task.ts'
import { names } from './names/task.ts'
import { splits } from './splits/task.ts'

/** All tasks, in the order of precedence: the pieces of a long message may be undecided, so splits come before joins. */
export const tasks = { names, splits, joins } as const satisfies Record<string, ModelTask>
export type TaskName = keyof typeof tasks
