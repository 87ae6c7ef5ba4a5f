import { z } from 'zod'
import { periodicWorker } from '../../platform/queue/periodic.ts'
import { defineJob, type JobWorker, jobWorker } from '../../platform/queue/queue.ts'
import type { Services } from '../../platform/services.ts'
import type { InsightHooks } from '../insights/index.ts'
import { advance } from './advance.ts'
import { advanceJob } from './advance-job.ts'
import { encodeItems, encodeWorkspace } from './encode.ts'
import { encodeItemsJob, encodeWorkspaceJob } from './encode-job.ts'
import type { VectorsStored } from './fill.ts'
import { sweepEmbeddings } from './sweep.ts'

const sweepJob = defineJob({ name: 'embeddings-sweep', schema: z.object({}), serial: true, tries: 5 })

/**
 * Computes vectors and carries out switches, one run at a time per workspace. A sweep each minute finds what waits.
 * `vectorsStored` is called in each transaction that stored vectors of the built-in encoder, with the messages they are of.
 */
export function embeddingJobs(
  services: Services,
  hooks: InsightHooks,
  { vectorsStored: stored }: { vectorsStored?: VectorsStored } = {},
): JobWorker[] {
  return [
    jobWorker(
      encodeItemsJob,
      ({ workspaceId, itemIds }, { signal, lastAttempt }) =>
        encodeItems(services, workspaceId, itemIds, { signal, lastAttempt, stored }),
      { concurrency: 2 },
    ),
    jobWorker(
      encodeWorkspaceJob,
      async ({ workspaceId }, { signal, lastAttempt }) => {
        const { more } = await encodeWorkspace(services, workspaceId, { signal, lastAttempt, stored })
        if (more) await services.queue.send(encodeWorkspaceJob, { workspaceId }, { key: workspaceId, once: true })
      },
      { concurrency: 2 },
    ),
    jobWorker(advanceJob, async ({ workspaceId }, { signal, lastAttempt }) => {
      const { more } = await advance(services, workspaceId, hooks, { signal, lastAttempt, stored })
      if (more) await services.queue.send(advanceJob, { workspaceId }, { key: workspaceId, once: true })
    }),
    periodicWorker(sweepJob, '* * * * *', () => sweepEmbeddings(services)),
  ]
}
