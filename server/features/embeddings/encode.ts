import { inWorkspace } from '../../platform/db/tenant.ts'
import { ModelFailure } from '../../platform/model-provider/failure.ts'
import type { Services } from '../../platform/services.ts'
import { fillVectors, type VectorsStored } from './fill.ts'
import { gatherVectors } from './gather.ts'
import { BUILTIN, builtinEmbedder } from './models/builtin-embedder.ts'
import { hashOfText, textToEmbed, type UsableModel } from './models/embedder.ts'
import { addRead, endReading, readReading, startReading } from './reading-store.ts'
import * as store from './store.ts'
import { readOpen } from './switch-store.ts'

/** `lastAttempt`: the queue will not retry this run. `stored` is called in the transactions that store vectors. */
export type EncodeOptions = {
  signal: AbortSignal
  lastAttempt: boolean
  stored?: VectorsStored | undefined
  runMs?: number
}

/** Then other workspaces have their turn. */
const RUN_MS = 60_000
/** A pass over fewer statements is over before people look. */
const MIN_SHOWN = 200
const COUNT_EVERY_MS = 5_000

/**
 * Computes the built-in encoder's vectors of the statements of these messages that have none, or one of an earlier text. Throws
 * what the queue is to retry. While the encoder cannot be used it does nothing: the sweep finds the missing vectors.
 */
export async function encodeItems(
  services: Services,
  workspaceId: string,
  itemIds: readonly number[],
  options: EncodeOptions,
): Promise<void> {
  const model = await builtinEmbedder(services, { urgent: true })
  if (!model || (await model.outages.isPaused())) return
  const found = await inWorkspace(services.db, workspaceId, (tx) =>
    store.readHashed(tx, workspaceId, model.space, itemIds),
  )
  const outdated = found.filter(({ hash, text }) => !hash?.equals(hashOfText(textToEmbed(text))))
  await settled(model, options, () => fillVectors(services, model, workspaceId, outdated, options))
}

/** The same for all statements of a workspace without a vector. `more`: the run stopped although there is more to do. */
export async function encodeWorkspace(
  services: Services,
  workspaceId: string,
  options: EncodeOptions,
): Promise<{ more: boolean }> {
  const model = await builtinEmbedder(services)
  if (!model) return { more: false }
  const endsAt = performance.now() + (options.runMs ?? RUN_MS)
  const stored = await withProgress(services, workspaceId, model.space, options.stored)
  const isComplete = await settled(model, options, () =>
    gatherVectors(services, model, workspaceId, { ...options, stored, endsAt }),
  )
  if (isComplete) {
    await forgetFormerVersions(services, workspaceId, model.space)
    await inWorkspace(services.db, workspaceId, (tx) => endReading(tx, workspaceId, services.now()))
  }
  return { more: isComplete === false && performance.now() > endsAt && !(await model.outages.isPaused()) }
}

/** The hook, which also records how far this pass is, if it is over many statements. More may arrive meanwhile: they are counted now and then. */
async function withProgress(
  services: Services,
  workspaceId: string,
  space: string,
  stored: VectorsStored | undefined,
): Promise<VectorsStored | undefined> {
  const isShown = await inWorkspace(services.db, workspaceId, async (tx) => {
    const missing = await store.countMissing(tx, workspaceId, space)
    if (missing < MIN_SHOWN && (await readReading(tx, workspaceId))?.endedAt !== null) return false
    await startReading(tx, workspaceId, missing, services.now())
    return true
  })
  if (!isShown) return stored
  let countAt = performance.now() + COUNT_EVERY_MS
  return async (tx, id, itemIds, count) => {
    const isDue = performance.now() > countAt
    if (isDue) countAt = performance.now() + COUNT_EVERY_MS
    const left = isDue ? await store.countMissing(tx, workspaceId, space) : null
    await addRead(tx, workspaceId, { count, left, now: services.now() })
    await stored?.(tx, id, itemIds, count)
  }
}

/** Runs a call of the model. A failure is recorded, and thrown if the queue is to retry it; otherwise the result is undefined. */
async function settled<T>(
  model: UsableModel,
  { lastAttempt }: EncodeOptions,
  call: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error
    await model.outages.settleFailure(error, { lastAttempt })
    return undefined
  }
}

/** Deletes the vectors of earlier versions of the encoder that nothing uses. */
async function forgetFormerVersions(services: Services, workspaceId: string, space: string): Promise<void> {
  await inWorkspace(services.db, workspaceId, async (tx) => {
    const used = [
      space,
      (await store.readChoice(tx, workspaceId)) ?? '',
      (await readOpen(tx, workspaceId))?.toSpace ?? '',
    ]
    await store.deleteVectorsOf(tx, workspaceId, { provider: BUILTIN, except: used })
  })
}
