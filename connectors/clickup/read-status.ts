import * as z from 'zod/mini'
import type { Context } from '../connector.ts'
import { ReplyTooLong } from '../kit/http/json-call.ts'
import type { RemoteItem, RemoteStatus } from '../tracker.ts'
import type { NoAccess } from './refusal.ts'
import type { Task } from './schema.ts'
import { markerTag, readTask, statusOf, tasksOfWorkspace, verifyWorkspace } from './task.ts'

const Data = z.object({ marker: z.string() })
/** Requests for single tasks that are sent at the same time: ClickUp may have listed none of them. */
const AT_ONCE = 5

/**
 * The states of tasks: by their tags in one request for all, and by their ids for those that are not listed. A task counts as gone only
 * by its own response, because lists may lag behind and omit archived tasks, and because tags can be removed.
 */
export async function readStatus(context: Context, remotes: readonly RemoteItem[]): Promise<RemoteStatus[]> {
  const tags = remotes.flatMap(({ data }) => {
    const { marker } = Data.safeParse(data).data ?? {}
    return marker === undefined ? [] : [markerTag(marker)]
  })
  const found = new Map((await listByTags(context, tags)).map((task) => [task.id, task]))
  const missing = remotes.map(({ id }) => id).filter((id) => !found.has(id))
  const verify = verifyOnce(context)
  for (let at = 0; at < missing.length; at += AT_ONCE) {
    const read = missing.slice(at, at + AT_ONCE).map(async (id) => [id, await readTask(context, id, verify)] as const)
    for (const [id, task] of await Promise.all(read)) if (task) found.set(id, task)
  }
  return remotes.map(({ id }) => {
    const task = found.get(id)
    return task ? { ...statusOf(task), id } : { id, state: 'gone', name: null }
  })
}

/** Many tasks may be out of reach at once: their workspace is verified once for all of them. */
function verifyOnce(context: Context): (error: NoAccess) => Promise<void> {
  let verified: Promise<void> | undefined
  return (error) => {
    verified ??= verifyWorkspace(context, error)
    return verified
  }
}

/** ClickUp's lists contain whole texts: where these are too long for one response, the tags are requested in halves. */
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
