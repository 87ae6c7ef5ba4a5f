import { z } from 'zod'
import { inWorkspace, type Tx } from '../../platform/db/tenant.ts'
import { periodicWorker } from '../../platform/queue/periodic.ts'
import { defineJob, type JobWorker, jobWorker } from '../../platform/queue/queue.ts'
import type { Services } from '../../platform/services.ts'
import { everyWorkspace } from '../../platform/sweep/every-workspace.ts'
import { deliverTo } from './deliver.ts'
import { forgetOldEvents, readDueReceivers, workspacesWithDueEvents } from './delivery-store.ts'

/** One turn of a receiver. Each has one at a time, so that a slow one holds one place. */
const turnJob = defineJob({
  name: 'send-events',
  schema: z.object({ workspaceId: z.uuid(), receiverId: z.uuid() }),
  serial: true,
})
const sweepJob = defineJob({ name: 'receiver-sweep', schema: z.object({}), serial: true })

/** Where the triggers announce events, with the id of the workspace. */
const CHANNEL = 'outgoing_event'
/** A turn waits for its receiver most of the time. */
const TURNS_AT_ONCE = 20
const KEPT_MS = 30 * 86_400_000

/** Sends events as they happen. Every minute, what is due and has no job is found, and events older than 30 days are deleted. */
export function receiverJobs(services: Services): JobWorker[] {
  const turns = jobWorker(turnJob, (data, run) => takeTurn(services, data, run.signal), { concurrency: TURNS_AT_ONCE })
  const listening: JobWorker = {
    name: turns.name,
    async start(queue) {
      await turns.start(queue)
      await listenForEvents(services)
    },
  }
  return [listening, periodicWorker(sweepJob, '* * * * *', () => sweepReceivers(services))]
}

/** Requests a turn of a receiver, now or at a time, as part of the transaction when there is one. */
export async function requestTurn(
  services: Services,
  workspaceId: string,
  receiverId: string,
  { tx, at }: { tx?: Tx; at?: Date } = {},
): Promise<void> {
  const seconds = at ? Math.ceil((at.getTime() - services.now().getTime()) / 1000) : 0
  await services.queue.send(
    turnJob,
    { workspaceId, receiverId },
    { ...(tx && { tx }), key: receiverId, ...(seconds > 0 ? { startAfter: seconds } : { once: true }) },
  )
}

async function takeTurn(
  services: Services,
  { workspaceId, receiverId }: { workspaceId: string; receiverId: string },
  signal: AbortSignal,
): Promise<void> {
  const { isOver, retryAt } = await deliverTo(services, workspaceId, receiverId, signal)
  if (isOver) await requestTurn(services, workspaceId, receiverId)
  if (retryAt) await requestTurn(services, workspaceId, receiverId, { at: retryAt })
}

/** Requests a turn of each receiver for which something is due, and deletes expired events. */
export async function sweepReceivers(services: Services): Promise<void> {
  const keptSince = () => new Date(services.now().getTime() - KEPT_MS)
  await everyWorkspace(
    services,
    'receivers',
    (tx) => workspacesWithDueEvents(tx, services.now(), keptSince()),
    async (workspaceId) => {
      await inWorkspace(services.db, workspaceId, (tx) => forgetOldEvents(tx, workspaceId, keptSince()))
      await requestTurns(services, workspaceId)
    },
  )
}

function requestTurns(services: Services, workspaceId: string): Promise<void> {
  return inWorkspace(services.db, workspaceId, async (tx) => {
    for (const id of await readDueReceivers(tx, workspaceId, services.now())) {
      await requestTurn(services, workspaceId, id, { tx })
    }
  })
}

/** Requests turns as soon as an event is committed. If a notification is missed, the sweep finds the event. */
async function listenForEvents(services: Services): Promise<void> {
  const onMissed = (error: Error) =>
    services.log.debug({ err: error.message }, 'an event was not noticed at once: the sweep sends it')
  const hear = (workspaceId: string) => void requestTurns(services, workspaceId).catch(onMissed)
  await services.db.listen(CHANNEL, hear).catch(onMissed)
}
