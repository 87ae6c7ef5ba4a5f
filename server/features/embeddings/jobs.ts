import { z } from 'zod'
import { inWorkspace, withoutWorkspace } from '../../platform/db/tenant.ts'
import { defineJob, type JobWorker, jobWorker } from '../../platform/queue/queue.ts'
import type { Services } from '../../platform/services.ts'
import type { InsightHooks } from '../insights/index.ts'
import { advance } from './advance.ts'
import { advanceJob, requestAdvance } from './advance-job.ts'
import { type Embedder, nameOfSpace } from './embedder.ts'
import { offeredEmbedder } from './offered.ts'
import * as store from './store.ts'
import { readOpen } from './switch-store.ts'
import { isPaused } from './trouble.ts'

const sweepJob = defineJob({ name: 'embeddings-sweep', schema: z.object({}), tries: 5 })

/** What was not asked for when it was missed is looked for only so often: it takes a look at every statement. */
const LACKS_EVERY_MINUTES = 10
const LOOK_MS = 10_000

/** Making vectors and switching, one run at a time for each workspace, and a look around each minute for what waits. */
export function embeddingJobs(services: Services, hooks: InsightHooks): JobWorker[] {
  return [
    jobWorker(advanceJob, async ({ workspaceId }, { signal, lastAttempt }) => {
      const { more } = await advance(services, workspaceId, hooks, { signal, lastAttempt })
      if (more) await services.queue.send(advanceJob, { workspaceId }, { key: workspaceId, once: true })
    }),
    {
      name: sweepJob.name,
      async start(queue) {
        await queue.work(sweepJob, () => sweepEmbeddings(services))
        await queue.schedule(sweepJob, '* * * * *', {})
      },
    },
  ]
}

/** Asks for every workspace in which there is something to do; for none that needs the model while it rests. */
export async function sweepEmbeddings(services: Services): Promise<void> {
  const embedder = await offeredEmbedder(services)
  const paused = await isPaused(services)
  const looks = services.now().getUTCMinutes() % LACKS_EVERY_MINUTES === 0
  let missed = false
  for (const id of await withoutWorkspace(services.db, store.readWorkspaceIds)) {
    await inWorkspace(services.db, id, async (tx) => {
      const open = await readOpen(tx, id)
      const choice = await store.readChoice(tx, id)
      const waits =
        open !== null && open.state !== 'ready' && !(open.state === 'gathering' && open.toSpace !== '' && paused)
      const lacks =
        looks &&
        !paused &&
        embedder !== null &&
        choice === embedder.space &&
        (await store.isMissing(tx, id, embedder.space))
      if (waits || lacks) await requestAdvance(services, tx, id)
      missed ||= embedder !== null && choice !== embedder.space && nameOfSpace(choice) === nameOfSpace(embedder.space)
    })
  }
  if (embedder && missed && looks && !paused) await lookWhetherItIsBack(services, embedder)
}

/**
 * Asks a model behind whose name another one stood when it was last asked: nobody else would notice that the one that a workspace
 * groups with is back.
 */
async function lookWhetherItIsBack(services: Services, embedder: Embedder): Promise<void> {
  try {
    await embedder.embed([], AbortSignal.timeout(LOOK_MS))
  } catch (error) {
    services.log.debug({ err: (error as Error).message }, 'looked whether an embedding model is back')
  }
}
