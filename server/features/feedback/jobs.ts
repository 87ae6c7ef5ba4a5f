import { ContractError } from '@groundswell/contract/errors.ts'
import { inWorkspace, type Tx } from '../../platform/db/tenant.ts'
import { periodicWorker } from '../../platform/queue/periodic.ts'
import { type JobWorker, jobWorker } from '../../platform/queue/queue.ts'
import type { Services } from '../../platform/services.ts'
import { everyWorkspace } from '../../platform/sweep/every-workspace.ts'
import type { FeedbackHooks } from './hooks.ts'
import { importJob, importSweepJob } from './imports/import-job.ts'
import {
  deleteAbandonedUploads,
  endImport,
  unansweredImports,
  unfinishedImports,
  workspacesToImport,
} from './imports/import-store.ts'
import { runImport } from './imports/run-import.ts'
import { retentionJob } from './retention/retention.ts'
import { searchFillJob } from './search/fill.ts'
import { deleteImport } from './take-back.ts'

const MINUTE_MS = 60_000
const SWEEP_TIMES = '*/5 * * * *'
const LOST_AFTER_MS = 5 * MINUTE_MS
const ABANDONED_AFTER_MS = 12 * 60 * MINUTE_MS
const UNANSWERED_AFTER_MS = 7 * 24 * 60 * MINUTE_MS

/**
 * The background work of feedback: reading imports, finding those whose job was lost, deleting expired messages, and making older messages searchable
 * after an update.
 */
export function feedbackJobs(services: Services, hooks: FeedbackHooks): JobWorker[] {
  return [
    importWorker(services, hooks),
    sweepWorker(services, hooks),
    retentionJob(services, hooks),
    searchFillJob(services),
  ]
}

function importWorker(services: Services, hooks: FeedbackHooks): JobWorker {
  const { workerConcurrency: concurrency } = services.config
  return jobWorker(
    importJob,
    async ({ workspaceId, importId }, run) => {
      try {
        const ended = await runImport(services, workspaceId, importId, { ...hooks, signal: run.signal })
        const { state, added, known, bad } = ended
        run.log.info({ import: importId, state, added, known, bad }, 'an import was read')
      } catch (error) {
        // Deleted while it was read.
        if (error instanceof ContractError && error.code === 'not_found') return
        if (run.lastAttempt && !run.signal.aborted) await giveUp(services, workspaceId, importId)
        throw error
      }
    },
    { concurrency },
  )
}

async function giveUp(services: Services, workspaceId: string, importId: string): Promise<void> {
  const error = 'Reading the file failed repeatedly. What was read is stored; import the file again for the rest.'
  await inWorkspace(services.db, workspaceId, (tx) =>
    endImport(tx, workspaceId, importId, { error, at: services.now() }),
  )
}

function sweepWorker(services: Services, hooks: FeedbackHooks): JobWorker {
  return periodicWorker(importSweepJob, SWEEP_TIMES, () => sweepImports(services, hooks))
}

/** Sends the jobs of unfinished imports again, and removes interrupted uploads and imports whose question was never answered. */
export async function sweepImports(services: Services, hooks: FeedbackHooks): Promise<void> {
  const now = services.now().getTime()
  const before = {
    lost: new Date(now - LOST_AFTER_MS),
    abandoned: new Date(now - ABANDONED_AFTER_MS),
    unanswered: new Date(now - UNANSWERED_AFTER_MS),
  }
  const due = (tx: Tx) => workspacesToImport(tx, before)
  await everyWorkspace(services, 'imports', due, async (workspaceId) => {
    await inWorkspace(services.db, workspaceId, async (tx) => {
      await deleteAbandonedUploads(tx, workspaceId, before.abandoned)
      for (const importId of await unfinishedImports(tx, workspaceId, before.lost)) {
        await services.queue.send(importJob, { workspaceId, importId }, { tx, key: workspaceId, once: true })
      }
    })
    const unanswered = await inWorkspace(services.db, workspaceId, (tx) =>
      unansweredImports(tx, workspaceId, before.unanswered),
    )
    for (const importId of unanswered) await deleteImport(services, workspaceId, importId, hooks)
  })
}
