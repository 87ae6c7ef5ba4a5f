import { inWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { fillVectors, type VectorsStored } from './fill.ts'
import type { UsableModel } from './models/embedder.ts'
import { isMissing, readMissing } from './store.ts'

const PAGE = 512

/**
 * Computes the missing vectors of a workspace, in the order of its messages. A run that is killed or stops repeats at most the
 * batches that were in progress. False when vectors are still missing: the model is paused, or the time is up. Throws
 * `ModelFailure`.
 */
export async function gatherVectors(
  services: Services,
  model: UsableModel,
  workspaceId: string,
  { signal, endsAt, stored }: { signal: AbortSignal; endsAt: number; stored?: VectorsStored | undefined },
): Promise<boolean> {
  const inside = <T>(work: Parameters<typeof inWorkspace<T>>[2]) => inWorkspace(services.db, workspaceId, work)
  const { space } = model
  for (let after = 0; ; ) {
    signal.throwIfAborted()
    if (performance.now() > endsAt || (await model.outages.isPaused())) return false
    const from = after
    const page = await inside((tx) => readMissing(tx, workspaceId, space, from, PAGE))
    if (page.length === 0) return !(await inside((tx) => isMissing(tx, workspaceId, space)))
    await fillVectors(services, model, workspaceId, page, { signal, stored })
    // A page may end in the middle of a message.
    const last = page.at(-1)?.itemId ?? 0
    after = page.length < PAGE ? last : Math.max(from, last - 1)
  }
}
