import { connectors } from '@groundswell/connectors/index.ts'
import { inWorkspace, type Tx } from '../../platform/db/tenant.ts'
import { periodicWorker } from '../../platform/queue/periodic.ts'
import { type JobWorker, jobWorker } from '../../platform/queue/queue.ts'
import type { Services } from '../../platform/services.ts'
import { everyWorkspace } from '../../platform/sweep/every-workspace.ts'
import { deleteExpiredStates } from '../connections/index.ts'
import { connectionsWithUnhandledEvents, deleteOldEvents, workspacesToSync } from './event-store.ts'
import { handleEvents } from './handle-events.ts'
import type { SyncHooks } from './hooks.ts'
import { requestSync } from './request-sync.ts'
import { syncConnection } from './sync-connection.ts'
import { handleEventsJob, syncJob, syncSweepJob } from './sync-job.ts'
import { dueSyncs, stalledSyncs } from './sync-state-store.ts'
import { deleteOldVersions } from './version-store.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** How long after its last sync a source is synced again. */
const EVERY_MS = 15 * MINUTE_MS
/** Longer than the longest pause between two attempts of a sync. */
const STALLED_MS = 3 * MINUTE_MS
const UNHANDLED_AFTER_MS = 10 * MINUTE_MS
const CONTINUE_AFTER_SECONDS = 2

/** Syncing sources, handling their events, and a sweep each minute for due syncs and lost jobs. */
export function syncJobs(services: Services, hooks: SyncHooks): JobWorker[] {
  const { workerConcurrency: concurrency } = services.config
  return [
    jobWorker(
      syncJob,
      async (data, run) => {
        const { workspaceId, connectionId } = data
        const more = await syncConnection(services, workspaceId, connectionId, hooks, run)
        if (more) await services.queue.send(syncJob, data, { key: connectionId, startAfter: CONTINUE_AFTER_SECONDS })
      },
      { concurrency },
    ),
    jobWorker(
      handleEventsJob,
      ({ workspaceId, connectionId }, run) => handleEvents(services, workspaceId, connectionId, hooks, run),
      {
        concurrency,
      },
    ),
    periodicWorker(syncSweepJob, '* * * * *', () => sweepSyncs(services)),
  ]
}

/** Starts due syncs, sends lost jobs again, and removes old events and sign-ins that were not finished. */
export async function sweepSyncs(services: Services): Promise<void> {
  const now = services.now().getTime()
  const ago = (ms: number) => new Date(now - ms)
  const pulled = connectors.filter(({ pull }) => pull).map(({ manifest }) => manifest.id)
  const before = { stalled: ago(STALLED_MS), due: ago(EVERY_MS), events: ago(7 * DAY_MS), now: ago(0) }
  const unhandled = { from: ago(DAY_MS), to: ago(UNHANDLED_AFTER_MS) }
  const due = (tx: Tx) => workspacesToSync(tx, pulled, before, unhandled)
  await everyWorkspace(services, 'syncs', due, (workspaceId) =>
    inWorkspace(services.db, workspaceId, async (tx) => {
      for (const connectionId of await stalledSyncs(tx, workspaceId, before.stalled)) {
        await services.queue.send(syncJob, { workspaceId, connectionId }, { tx, key: connectionId, once: true })
      }
      for (const id of await dueSyncs(tx, workspaceId, pulled, before.due)) {
        await requestSync(services)(tx, workspaceId, id)
      }
      for (const connectionId of await connectionsWithUnhandledEvents(tx, workspaceId, unhandled.from, unhandled.to)) {
        await services.queue.send(handleEventsJob, { workspaceId, connectionId }, { tx, key: connectionId, once: true })
      }
      await deleteOldEvents(tx, workspaceId, before.events)
      await deleteOldVersions(tx, workspaceId, before.events)
      await deleteExpiredStates(tx, workspaceId, before.now)
    }),
  )
}
