import { type HasKysely, inWorkspace, withoutWorkspace } from '../../platform/db/tenant.ts'
import { allWorkspaces } from '../../platform/sweep/store.ts'
import { countConnectionProblems } from '../connections/index.ts'
import { countUnsent } from '../deliveries/index.ts'
import { countItemsToGroup } from '../feedback/index.ts'

/** Work that waits or has failed, over all workspaces. */
export type Backlog = {
  workspaces: number
  ungrouped: number
  waiting: number
  held: number
  failed: number
  paused: number
  errors: number
}

/** Counts it, one workspace at a time. */
export async function readBacklog(db: HasKysely): Promise<Backlog> {
  const total: Backlog = { workspaces: 0, ungrouped: 0, waiting: 0, held: 0, failed: 0, paused: 0, errors: 0 }
  for (const id of await withoutWorkspace(db, allWorkspaces)) {
    const found = await inWorkspace(db, id, async (tx) => ({
      ungrouped: await countItemsToGroup(tx, id),
      ...(await countUnsent(tx, id)),
      ...(await countConnectionProblems(tx, id)),
    }))
    total.workspaces += 1
    total.ungrouped += found.ungrouped
    total.waiting += found.waiting
    total.held += found.held
    total.failed += found.failed
    total.paused += found.paused
    total.errors += found.errors
  }
  return total
}
