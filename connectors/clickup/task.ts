import type { Context } from '../connector.ts'
import { isDeclined } from '../kit/declined.ts'
import type { RemoteItem, RemoteStatus } from '../tracker.ts'
import { readTeams } from './check.ts'
import { call, path } from './client.ts'
import { placeOf } from './manifest.ts'
import { lostWorkspace, Missing, NoAccess } from './refusal.ts'
import { type Status, Task, Tasks } from './schema.ts'

/** The tag by which a task is found again. */
export const markerTag = (marker: string) => `gs-${marker.toLowerCase()}`

type Verify = (error: NoAccess) => Promise<void>

/** Done and closed end a task; ClickUp calls every other type open, unstarted, active or custom. */
export const isClosed = ({ type }: Status) => type === 'done' || type === 'closed'

/**
 * A task by its id, wherever it was moved to; null where it was deleted or is out of reach. `verify` throws where the whole workspace
 * is out of reach.
 */
export async function readTask(
  context: Context,
  id: string,
  verify: Verify = (error) => verifyWorkspace(context, error),
): Promise<Task | null> {
  const request = { method: 'GET', name: 'task', path: path`/task/${id}`, schema: Task, subject: 'task' } as const
  try {
    return await call(context, request)
  } catch (error) {
    if (await isGone(error, verify)) return null
    throw error
  }
}

/** Changes a task; null where it was deleted or is out of reach. */
export async function changeTask(context: Context, id: string, json: Record<string, unknown>): Promise<Task | null> {
  const request = { method: 'PUT', name: 'task', path: path`/task/${id}`, json, schema: Task, subject: 'task' } as const
  try {
    return await call(context, request)
  } catch (error) {
    if (await isGone(error, (refusal) => verifyWorkspace(context, refusal))) return null
    throw error
  }
}

/** Whether a failure means that one task is gone. */
async function isGone(error: unknown, verify: Verify): Promise<boolean> {
  if (error instanceof Missing) return true
  if (!(error instanceof NoAccess)) return false
  await verify(error)
  return true
}

/**
 * ClickUp responds in the same way whether one thing or its whole workspace is out of reach. Throws where it is the workspace, so that
 * the owner is asked to reconnect and nothing counts as gone.
 */
export async function verifyWorkspace(context: Context, error: NoAccess): Promise<void> {
  const { workspace } = placeOf(context)
  if (!(await readTeams(context)).some(({ id }) => id === workspace)) throw lostWorkspace(error)
}

/** The query for tasks with any of these tags, closed tasks and subtasks included. */
function withTags(tags: readonly string[], more: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams({ include_closed: 'true', subtasks: 'true', ...more })
  for (const tag of tags) query.append('tags[]', tag)
  return query.toString()
}

/** Tasks of the workspace that have one of these tags, closed ones included, at most 100. Archived tasks are not listed. */
export async function tasksOfWorkspace(context: Context, tags: readonly string[]): Promise<Task[]> {
  const { workspace } = placeOf(context)
  try {
    const { tasks } = await call(context, {
      method: 'GET',
      name: 'team/task',
      path: `${path`/team/${workspace}/task`}?${withTags(tags)}`,
      schema: Tasks,
      subject: 'workspace',
    })
    return tasks
  } catch (error) {
    if (error instanceof NoAccess) await verifyWorkspace(context, error)
    throw error
  }
}

/**
 * Tasks of the chosen list that have one of these tags, or all of them without tags, closed ones included, newest first, at most 100.
 * `more`: further parameters of the query.
 */
export async function tasksOfList(
  context: Context,
  tags: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<Task[]> {
  try {
    const { tasks } = await call(context, {
      method: 'GET',
      name: 'list/task',
      path: `${path`/list/${placeOf(context).list}/task`}?${withTags(tags, { include_timl: 'true', ...more })}`,
      schema: Tasks,
      subject: 'list',
    })
    return tasks
  } catch (error) {
    // The list may have been deleted since the task was created: it can still be found in the workspace.
    if (error instanceof Missing || error instanceof NoAccess) return []
    throw error
  }
}

/**
 * A closed task that was archived stays closed. An open one that was archived is out of sight. Both types of closed statuses are used for work that
 * was done and for work that was declined: only the name tells.
 */
export function statusOf({ id, status, archived }: Task): RemoteStatus {
  const name = status.status
  if (isClosed(status)) return { id, state: 'closed', name, ...(isDeclined(name) ? { declined: true } : {}) }
  return archived === true ? { id, state: 'gone', name: null } : { id, state: 'open', name }
}

/** A task as the item that an insight is stored with. `label`: its custom id, where the workspace has those. */
export function remoteOf(task: Task, data: RemoteItem['data']): RemoteItem {
  const { id, state, name, ...declined } = statusOf(task)
  return {
    id,
    url: task.url ?? null,
    label: task.custom_id ?? id,
    title: task.name,
    status: state,
    statusName: name,
    ...declined,
    data,
  }
}
