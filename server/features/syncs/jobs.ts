import { connectors } from '@groundswell/connectors/index.ts'
import { inWorkspace, withoutWorkspace } from '../../platform/db/tenant.ts'
import { type JobWorker, jobWorker } from '../../platform/queue/queue.ts'
import type { Services } from '../../platform/services.ts'
import { deleteExpiredStates, dueSyncs, stalledSyncs } from '../connections/index.ts'
import { deleteOldEvents, readWorkspaceIds, unfollowedConnections } from './event-store.ts'
import { followEvents } from './follow-events.ts'
import type { SyncHooks } from './hooks.ts'
import { requestSync } from './request-sync.ts'
import { syncConnection } from './sync-connection.ts'
import { followJob, syncJob, syncSweepJob } from './sync-job.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** How long after its last sync a source is read again. */
const EVERY_MS = 15 * MINUTE_MS
/** Longer than the longest pause between two tries of a sync. */
const STALLED_MS = 3 * MINUTE_MS
const LEFT_MS = 10 * MINUTE_MS
const GO_ON_SECONDS = 2

/** Reading sources, following what they tell, and a look each minute for what is due or was forgotten. */
export function syncJobs(services: Services, hooks: SyncHooks): JobWorker[] {
  const { workerConcurrency: concurrency } = services.config
  return [
    jobWorker(
      syncJob,
      async (data, run) => {
        const { workspaceId, connectionId } = data
        const more = await syncConnection(services, workspaceId, connectionId, hooks, run)
        if (more) await services.queue.send(syncJob, data, { key: connectionId, startAfter: GO_ON_SECONDS })
      },
      { concurrency },
    ),
    jobWorker(
      followJob,
      ({ workspaceId, connectionId }, run) => followEvents(services, workspaceId, connectionId, hooks, run),
      {
        concurrency,
      },
    ),
    {
      name: syncSweepJob.name,
      async start(queue) {
        await queue.work(syncSweepJob, () => sweepSyncs(services))
        await queue.schedule(syncSweepJob, '* * * * *', {})
      },
    },
  ]
}

/** Begins what is due, sends lost jobs again and removes what is over, workspace by workspace. */
export async function sweepSyncs(services: Services): Promise<void> {
  const now = services.now().getTime()
  const ago = (ms: number) => new Date(now - ms)
  const pulled = connectors.filter(({ pull }) => pull).map(({ manifest }) => manifest.id)
  for (const workspaceId of await withoutWorkspace(services.db, readWorkspaceIds)) {
    await inWorkspace(services.db, workspaceId, async (tx) => {
      for (const connectionId of await stalledSyncs(tx, workspaceId, ago(STALLED_MS))) {
        await services.queue.send(syncJob, { workspaceId, connectionId }, { tx, key: connectionId, once: true })
      }
      for (const id of await dueSyncs(tx, workspaceId, pulled, ago(EVERY_MS))) {
        await requestSync(services)(tx, workspaceId, id)
      }
      for (const connectionId of await unfollowedConnections(tx, workspaceId, ago(DAY_MS), ago(LEFT_MS))) {
        await services.queue.send(followJob, { workspaceId, connectionId }, { tx, key: connectionId, once: true })
      }
      await deleteOldEvents(tx, workspaceId, ago(7 * DAY_MS))
      await deleteExpiredStates(tx, workspaceId, ago(0))
    })
  }
}
