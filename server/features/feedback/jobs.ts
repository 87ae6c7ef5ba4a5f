import { inWorkspace, type Tx, withoutWorkspace } from '../../platform/db/tenant.ts'
import { type JobWorker, jobWorker } from '../../platform/queue/queue.ts'
import type { Services } from '../../platform/services.ts'
import { importJob, importSweepJob } from './import-job.ts'
import { allWorkspaces, deleteAbandonedUploads, endImport, unfinishedImports } from './import-store.ts'
import { runImport } from './run-import.ts'

/** What others do when feedback was stored, in the transaction that stored it. */
export type FeedbackHooks = { stored(tx: Tx, workspaceId: string): Promise<void> }

const MINUTE_MS = 60_000
const SWEEP_TIMES = '*/5 * * * *'
const LOST_AFTER_MS = 5 * MINUTE_MS
const ABANDONED_AFTER_MS = 12 * 60 * MINUTE_MS

/** The background work of feedback: reading imports, and finding those that were forgotten. */
export function feedbackJobs(services: Services, hooks: FeedbackHooks): JobWorker[] {
  return [importWorker(services, hooks), sweepWorker(services)]
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
        if (run.lastAttempt && !run.signal.aborted) await giveUp(services, workspaceId, importId)
        throw error
      }
    },
    { concurrency },
  )
}

async function giveUp(services: Services, workspaceId: string, importId: string): Promise<void> {
  const error = 'Reading the file failed again and again. What was read is kept; import the file again for the rest.'
  await inWorkspace(services.db, workspaceId, (tx) =>
    endImport(tx, workspaceId, importId, { error, at: services.now() }),
  )
}

function sweepWorker(services: Services): JobWorker {
  const sweeper = jobWorker(importSweepJob, () => sweepImports(services))
  return {
    name: sweeper.name,
    async start(queue) {
      await sweeper.start(queue)
      await queue.schedule(importSweepJob, SWEEP_TIMES, {})
    },
  }
}

/** Sends the jobs of unfinished imports again, and removes uploads that never came to their end. */
export async function sweepImports(services: Services): Promise<void> {
  const now = services.now().getTime()
  for (const workspaceId of await withoutWorkspace(services.db, allWorkspaces)) {
    await inWorkspace(services.db, workspaceId, async (tx) => {
      await deleteAbandonedUploads(tx, workspaceId, new Date(now - ABANDONED_AFTER_MS))
      for (const importId of await unfinishedImports(tx, workspaceId, new Date(now - LOST_AFTER_MS))) {
        await services.queue.send(importJob, { workspaceId, importId }, { tx, key: workspaceId, once: true })
      }
    })
  }
}
