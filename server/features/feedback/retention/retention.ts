import { ContractError } from '@groundswell/contract/errors.ts'
import { erasePerson, getRetention, type Retention, setRetention } from '@groundswell/contract/feedback/retention.ts'
import { z } from 'zod'
import { inWorkspace, type Tx } from '../../../platform/db/tenant.ts'
import { type Handler, handle } from '../../../platform/http/handle.ts'
import { periodicWorker } from '../../../platform/queue/periodic.ts'
import { defineJob, type JobWorker } from '../../../platform/queue/queue.ts'
import type { Services } from '../../../platform/services.ts'
import { everyWorkspace, type SweepOutcome } from '../../../platform/sweep/every-workspace.ts'
import { namedSources } from '../../connections/index.ts'
import type { FeedbackHooks } from '../hooks.ts'
import { countMessages } from '../kept-store.ts'
import {
  deleteExpired,
  eraseMessages,
  lockErasing,
  readItemsByAuthor,
  readRetention,
  workspacesToExpire,
  writeRetention,
} from './store.ts'

const sweepJob = defineJob({ name: 'retention-sweep', schema: z.object({}), serial: true, tries: 5 })
const SWEEP_TIMES = '41 * * * *'
/** A workspace with years of feedback to delete must not hold up the others: the rest is deleted in the next hour. */
const MAX_BATCHES = 200

/** The calls about how long feedback is kept, and about erasing a person. */
export function retentionRoutes(services: Services, hooks: FeedbackHooks): Handler[] {
  return [
    handle(getRetention, ({ caller: { workspaceId } }) =>
      inWorkspace(services.db, workspaceId, (tx) => viewRetention(services, tx, workspaceId)),
    ),

    handle(setRetention, ({ body, caller: { workspaceId } }) =>
      inWorkspace(services.db, workspaceId, async (tx) => {
        const known = new Set((await viewRetention(services, tx, workspaceId)).sources.map(({ id }) => id))
        for (const { id, days } of body.sources) {
          if (!known.has(id)) throw new ContractError('not_found', 'There is no such source')
          await writeRetention(tx, workspaceId, id, days)
        }
        await writeRetention(tx, workspaceId, null, body.days)
        return viewRetention(services, tx, workspaceId)
      }),
    ),

    handle(erasePerson, ({ body: { author }, caller: { workspaceId } }) =>
      inWorkspace(services.db, workspaceId, async (tx) => {
        await lockErasing(tx, workspaceId)
        const { ids } = await readItemsByAuthor(tx, workspaceId, author)
        await hooks.erasing?.(tx, workspaceId, { author, itemIds: ids })
        const removed = await eraseMessages(tx, workspaceId, author, services.now())
        if (removed > 0) await hooks.stored(tx, workspaceId)
        return { removed }
      }),
    ),
  ]
}

async function viewRetention(services: Services, tx: Tx, workspaceId: string): Promise<Retention> {
  const { days, sources } = await readRetention(tx, workspaceId)
  const messages = await countMessages(tx, workspaceId)
  const all = await namedSources(services, tx, workspaceId)
  return {
    days,
    sources: all.map(({ id, label, name }) => ({
      id,
      label,
      name,
      messages: messages.get(id) ?? 0,
      days: sources.get(id) ?? null,
    })),
  }
}

/** Deletes feedback past its workspace's retention period every hour. */
export function retentionJob(services: Services, hooks: FeedbackHooks): JobWorker {
  return periodicWorker(sweepJob, SWEEP_TIMES, () => expireFeedback(services, hooks))
}

/** Deletes messages past their workspace's retention period, a few hundred per transaction. */
export function expireFeedback(services: Services, hooks: FeedbackHooks): Promise<SweepOutcome> {
  const at = services.now()
  return everyWorkspace(
    services,
    'retention',
    (tx) => workspacesToExpire(tx, at),
    async (workspaceId) => {
      for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
        const removed = await inWorkspace(services.db, workspaceId, async (tx) => {
          const count = await deleteExpired(tx, workspaceId, at)
          if (count > 0) await hooks.stored(tx, workspaceId)
          return count
        })
        if (removed === 0) break
      }
    },
  )
}
