import { inWorkspace } from '../../platform/db/tenant.ts'
import { ModelFailure } from '../../platform/model-provider/failure.ts'
import type { Services } from '../../platform/services.ts'
import { BUILTIN, builtinEmbedder } from './builtin-embedder.ts'
import { hashOfText, textToEmbed, type UsableModel } from './embedder.ts'
import { fillVectors, type VectorsStored } from './fill.ts'
import { gatherVectors } from './gather.ts'
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

/**
 * Computes the built-in encoder's vectors of the statements of these messages that have none, or one of an earlier text. Throws
 * what the queue is to retry. While the encoder cannot be used it does nothing: the sweep finds what is missing.
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
  const isComplete = await settled(model, options, () =>
    gatherVectors(services, model, workspaceId, { ...options, endsAt }),
  )
  if (isComplete) await forgetFormerVersions(services, workspaceId, model.space)
  return { more: isComplete === false && performance.now() > endsAt && !(await model.outages.isPaused()) }
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
