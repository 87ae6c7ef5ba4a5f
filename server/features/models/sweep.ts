import type { LlmSettings } from '../../platform/config/model-settings.ts'
import type { Tx } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { sweepChanges } from '../../platform/sweep/changes.ts'
import { workspacesToAskAgain } from './activity-store.ts'
import { languageModelProvider } from './provider.ts'
import { type TaskName, tasks } from './tasks/tasks.ts'

/**
 * Calls `send` with the first task that is due in each workspace, if any; never while the model is paused. Another model or prompt
 * makes it check every workspace again.
 */
export async function sweepModels(
  services: Services,
  settings: LlmSettings,
  send: (task: TaskName, workspaceId: string) => Promise<void>,
): Promise<void> {
  if (await languageModelProvider(services, settings).isPaused()) return
  const now = services.now()
  const rules = [settings.model, ...Object.values(tasks).map((task) => task.promptVersion)].join(' ')
  const look = async (tx: Tx, workspaceId: string) => {
    const due = await findDueTask(tx, workspaceId, settings, now)
    if (!due) return 'idle'
    await send(due, workspaceId)
    return 'due'
  }
  await sweepChanges(services, { name: 'models', rules }, look, workspacesToAskAgain(now))
}

/** The first task with something to do in a workspace; null when there is none. */
async function findDueTask(tx: Tx, workspaceId: string, settings: LlmSettings, now: Date): Promise<TaskName | null> {
  for (const task of Object.keys(tasks) as TaskName[]) {
    if (await tasks[task].isDue(tx, workspaceId, settings, now)) return task
  }
  return null
}
