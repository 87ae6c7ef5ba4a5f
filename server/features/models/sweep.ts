import type { LlmSettings } from '../../platform/config/config.ts'
import { inWorkspace, withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { readWorkspaceIds } from './activity-store.ts'
import { languageModelProvider } from './provider.ts'
import { type TaskName, tasks } from './tasks/tasks.ts'

/** Calls `send` with the first task that is due in each workspace, if any; never while the model is paused. */
export async function sweepModels(
  services: Services,
  settings: LlmSettings,
  send: (task: TaskName, workspaceId: string) => Promise<void>,
): Promise<void> {
  if (await languageModelProvider(services, settings).isPaused()) return
  for (const id of await withoutWorkspace(services.db, readWorkspaceIds)) {
    const due = await findDueTask(services, settings, id)
    if (due) await send(due, id)
  }
}

/** The first task with something to do in a workspace; null when there is none. */
async function findDueTask(services: Services, settings: LlmSettings, workspaceId: string): Promise<TaskName | null> {
  for (const task of Object.keys(tasks) as TaskName[]) {
    const isDue = await inWorkspace(services.db, workspaceId, (tx) =>
      tasks[task].isDue(tx, workspaceId, settings, services.now()),
    )
    if (isDue) return task
  }
  return null
}
