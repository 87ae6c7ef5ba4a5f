import { inWorkspace, withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { requestAdvance } from './advance-job.ts'
import { type Embedder, nameOfSpace } from './embedder.ts'
import { offeredEmbedder } from './offered-embedder.ts'
import { embeddingProvider } from './provider.ts'
import * as store from './store.ts'
import { readOpen } from './switch-store.ts'

/** Looking for missing vectors reads every statement, so it is done only this often. */
const MISSING_EVERY_MINUTES = 10
const TIME_LIMIT_MS = 10_000

/** Requests a run for every workspace with something to do; while the model is paused, only for what does not need it. */
export async function sweepEmbeddings(services: Services): Promise<void> {
  const embedder = await offeredEmbedder(services)
  const paused = await embeddingProvider(services).isPaused()
  const looksForMissing = !paused && services.now().getUTCMinutes() % MISSING_EVERY_MINUTES === 0
  let formerModelInUse = false
  for (const id of await withoutWorkspace(services.db, store.readWorkspaceIds)) {
    await inWorkspace(services.db, id, async (tx) => {
      const open = await readOpen(tx, id)
      const choice = await store.readChoice(tx, id)
      const switchWaits =
        open !== null && open.state !== 'ready' && !(open.state === 'gathering' && open.toSpace !== '' && paused)
      const vectorsMissing =
        looksForMissing &&
        embedder !== null &&
        choice === embedder.space &&
        (await store.isMissing(tx, id, embedder.space))
      if (switchWaits || vectorsMissing) await requestAdvance(services, tx, id)
      formerModelInUse ||=
        embedder !== null && choice !== embedder.space && nameOfSpace(choice) === nameOfSpace(embedder.space)
    })
  }
  if (embedder && formerModelInUse && looksForMissing) await probe(services, embedder)
}

/** Calls the model once, which notices when its name refers to the former model again. Nothing else would call it. */
async function probe(services: Services, embedder: Embedder): Promise<void> {
  try {
    await embedder.embed([], AbortSignal.timeout(TIME_LIMIT_MS))
  } catch (error) {
    services.log.debug({ err: (error as Error).message }, 'checked which embedding model the name refers to')
  }
}
