import { withoutWorkspace } from '../db/tenant.ts'
import type { Services } from '../services.ts'
import type { DueQuery } from './store.ts'

/** `failed`: the workspaces whose work threw. */
export type SweepOutcome = { visited: number; failed: string[] }

/**
 * Runs `work` for each workspace that `due` names, one after the other. `due` is one query for all workspaces, so that a sweep costs
 * nothing per idle workspace. Work that throws is logged with its workspace and does not prevent that of the others: the workspace
 * stays due, and the next sweep retries it. Throws only what `due` throws.
 */
export async function everyWorkspace(
  { db, log }: Pick<Services, 'db' | 'log'>,
  name: string,
  due: DueQuery,
  work: (workspaceId: string) => Promise<void>,
): Promise<SweepOutcome> {
  const ids = await withoutWorkspace(db, due)
  const failed: string[] = []
  for (const workspaceId of ids) {
    try {
      await work(workspaceId)
    } catch (error) {
      failed.push(workspaceId)
      const err = error instanceof Error ? error.message : String(error)
      log.error({ sweep: name, workspace: workspaceId, err }, 'periodic work failed in a workspace')
    }
  }
  return { visited: ids.length, failed }
}
