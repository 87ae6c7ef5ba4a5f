import { inWorkspace, type Tx } from '../db/tenant.ts'
import type { Services } from '../services.ts'
import { everyWorkspace, type SweepOutcome } from './every-workspace.ts'
import { changedWorkspaces, type DueQuery, markSwept, readPosition, type Sweep } from './store.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** `'due'`: there is work; check again in the next sweep. Otherwise there is nothing to do until something changes, or until that time. */
export type Looked = 'due' | { againAt: Date } | 'idle'

/**
 * A sweep whose due work follows from changes: it checks each workspace whose revision or groups changed since it found nothing to
 * do there, and those that `due` names as well. `look` runs in a transaction of the workspace. An idle workspace is checked once
 * a day, in case a change did not raise its revision.
 */
export function sweepChanges(
  services: Pick<Services, 'db' | 'log' | 'now'>,
  sweep: Sweep,
  look: (tx: Tx, workspaceId: string) => Promise<Looked>,
  due: DueQuery = async () => [],
): Promise<SweepOutcome> {
  const both: DueQuery = async (tx) => {
    const changed = await (sweep.changed ?? changedWorkspaces(sweep, services.now()))(tx)
    return [...new Set([...changed, ...(await due(tx))])]
  }
  return everyWorkspace(services, sweep.name, both, (workspaceId) =>
    inWorkspace(services.db, workspaceId, async (tx) => {
      // Read first: a change that is committed while `look` runs makes the workspace due again.
      const position = await readPosition(tx, workspaceId)
      const looked = await look(tx, workspaceId)
      if (looked === 'due') return
      const againAt = looked === 'idle' ? nextDay(services.now()) : looked.againAt
      await markSwept(tx, workspaceId, sweep, position, againAt)
    }),
  )
}

/** In 23 to 24 hours: workspaces that were checked together are spread over an hour the next time. */
function nextDay(now: Date): Date {
  return new Date(now.getTime() + DAY_MS - Math.random() * HOUR_MS)
}
