import type { Context } from '../connector.ts'
import { readList } from './list-choices.ts'
import { placeOf } from './manifest.ts'
import { Missing, NoAccess } from './refusal.ts'
import type { Status, Task } from './schema.ts'
import { changeTask, isClosed } from './task.ts'

/** Sets a closed task to the first open status of the list that it is in; null where the list has none, or cannot be read. */
export async function reopenTask(context: Context, task: Task): Promise<Task | null> {
  const status = firstOpen(await statusesOf(context, task.list?.id ?? placeOf(context).list))
  if (status === undefined) return null
  return changeTask(context, task.id, { status, ...(task.archived === true ? { archived: false } : {}) })
}

async function statusesOf(context: Context, list: string): Promise<readonly Status[]> {
  try {
    return (await readList(context, list)).statuses ?? []
  } catch (error) {
    if (error instanceof Missing || error instanceof NoAccess) return []
    throw error
  }
}

/** ClickUp's type for the status that tasks start with is `open`, and `unstarted` in newer workspaces. */
function firstOpen(statuses: readonly Status[]): string | undefined {
  const open = statuses
    .filter((status) => !isClosed(status))
    .toSorted((a, b) => (a.orderindex ?? 0) - (b.orderindex ?? 0))
  const start = open.find(({ type }) => type === 'open' || type === 'unstarted')
  return (start ?? open[0])?.status
}
