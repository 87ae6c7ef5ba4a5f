import type { Context } from '../connector.ts'
import { ReplyTooLong } from '../kit/http/json-call.ts'
import type { Task } from './schema.ts'
import { markerTag, tasksOfList, tasksOfWorkspace } from './task.ts'

const HOUR_MS = 60 * 60_000
/** How far back a task is searched for by its text, in hours: less where the texts of a day are too long for one response. */
const WINDOWS = [24, 1]

/**
 * The task with this marker: by its tag in the list, in the workspace in case it was moved, and among the archived tasks of the list.
 * In case the tag was not stored or was removed, the marker is searched for in the texts of the list's newest tasks.
 */
export async function findTask(context: Context, marker: string): Promise<Task | null> {
  const tag = markerTag(marker)
  const tagged = (tasks: readonly Task[]) => tasks.find(({ tags }) => tags?.includes(tag))
  return (
    tagged(await tasksOfList(context, [tag])) ??
    tagged(await tasksOfWorkspace(context, [tag])) ??
    tagged(await tasksOfList(context, [tag], { archived: 'true' })) ??
    (await newestTasks(context)).find(({ text_content }) => text_content?.includes(marker)) ??
    null
  )
}

async function newestTasks(context: Context): Promise<Task[]> {
  for (const hours of WINDOWS) {
    const since = String(context.now().getTime() - hours * HOUR_MS)
    try {
      return await tasksOfList(context, [], { order_by: 'created', date_created_gt: since })
    } catch (error) {
      if (!(error instanceof ReplyTooLong)) throw error
    }
  }
  return []
}
