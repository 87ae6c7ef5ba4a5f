import * as z from 'zod/mini'
import type { Context } from '../connector.ts'
import { ReplyTooLong } from '../kit/json-call.ts'
import type { RemoteItem, RemoteStatus } from '../tracker.ts'
import type { Task } from './schema.ts'
import { markerTag, readTask, statusOf, tasksOfWorkspace } from './task.ts'

const Data = z.object({ marker: z.string() })

/**
 * The states of tasks: by their tags in one request for all, and by their ids for the ones that are not listed. Only the task itself
 * says that it is gone, because lists may lag behind, omit archived tasks, and because tags can be removed.
 */
export async function readStatus(context: Context, remotes: readonly RemoteItem[]): Promise<RemoteStatus[]> {
  const tags = remotes.flatMap(({ data }) => {
    const { marker } = Data.safeParse(data).data ?? {}
    return marker === undefined ? [] : [markerTag(marker)]
  })
  const listed = new Map((await listByTags(context, tags)).map((task) => [task.id, task]))
  const statuses: RemoteStatus[] = []
  for (const { id } of remotes) {
    const task = listed.get(id) ?? (await readTask(context, id))
    statuses.push(task ? statusOf(task) : { id, state: 'gone', name: null })
  }
  return statuses
}

/** ClickUp's lists contain the whole texts: where they are too long for one response, in halves. */
async function listByTags(context: Context, tags: readonly string[]): Promise<Task[]> {
  if (tags.length === 0) return []
  try {
    return await tasksOfWorkspace(context, tags)
  } catch (error) {
    if (!(error instanceof ReplyTooLong)) throw error
    if (tags.length === 1) return []
    const half = Math.ceil(tags.length / 2)
    return [...(await listByTags(context, tags.slice(0, half))), ...(await listByTags(context, tags.slice(half)))]
  }
}
