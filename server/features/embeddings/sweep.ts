import { inWorkspace, type Tx, withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { sweepChanges } from '../../platform/sweep/changes.ts'
import { everyWorkspace } from '../../platform/sweep/every-workspace.ts'
import { requestAdvance } from './advance-job.ts'
import { requestEncodingOfAll } from './encode-job.ts'
import { builtinSpace } from './models/builtin-embedder.ts'
import { nameOfSpace, type UsableModel } from './models/embedder.ts'
import { offeredEmbedder } from './models/offered-embedder.ts'
import { embeddingProvider, encoderProvider } from './models/provider.ts'
import * as store from './store.ts'
import { readOpen } from './switch-store.ts'

/** Looking for missing vectors reads every statement, so it is done only this often. */
const MISSING_EVERY_MINUTES = 10
const TIME_LIMIT_MS = 10_000

/** Requests a run where a switch is in progress or vectors are missing; while the model is paused, only for what does not need it. */
export async function sweepEmbeddings(services: Services): Promise<void> {
  const embedder = await offeredEmbedder(services)
  const paused = await embeddingProvider(services).isPaused()
  await everyWorkspace(services, 'embedding switches', store.workspacesSwitching, (id) =>
    inWorkspace(services.db, id, async (tx) => {
      const open = await readOpen(tx, id)
      const needsModel = open?.state === 'gathering' && open.toSpace !== ''
      if (open && open.state !== 'ready' && !(needsModel && paused)) await requestAdvance(services, tx, id)
    }),
  )
  if (services.now().getUTCMinutes() % MISSING_EVERY_MINUTES !== 0) return
  await sweepEncoder(services)
  if (!embedder || paused) return
  const { space } = embedder
  const look = async (tx: Tx, id: string) => {
    if ((await store.readChoice(tx, id)) !== space || !(await store.isMissing(tx, id, space))) return 'idle'
    await requestAdvance(services, tx, id)
    return 'due'
  }
  await sweepChanges(services, { name: 'embeddings', rules: space }, look)
  const inUse = await withoutWorkspace(services.db, store.spacesInUse)
  const isFormer = (other: string) => other !== space && nameOfSpace(other) === nameOfSpace(space)
  if (inUse.some(isFormer)) await probe(services, embedder)
}

/** Requests vectors of the built-in encoder where some are missing: after an update, or because a job was lost. */
async function sweepEncoder(services: Services): Promise<void> {
  const space = await builtinSpace(services)
  if (space === null || (await encoderProvider(services).isPaused())) return
  await sweepChanges(services, { name: 'encoder', rules: space }, async (tx, id) => {
    if (!(await store.isMissing(tx, id, space))) return 'idle'
    await requestEncodingOfAll(services, tx, id)
    return 'due'
  })
}

/** Calls the model once, which notices when its name refers to the former model again. Nothing else would call it. */
async function probe(services: Services, embedder: UsableModel): Promise<void> {
  try {
    await embedder.embed([], AbortSignal.timeout(TIME_LIMIT_MS))
  } catch (error) {
    services.log.debug({ err: (error as Error).message }, 'checked which embedding model the name refers to')
  }
}
