import { inWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import type { Embedder } from './embedder.ts'
import { fillVectors } from './fill.ts'
import { embeddingProvider } from './provider.ts'
import { isMissing, readMissing } from './store.ts'

const PAGE = 512

/**
 * Computes the missing vectors of a workspace, in the order of its messages. A run that is killed or stops repeats at most the
 * batches that were in progress. False when vectors are still missing: the model is paused, or the time is up. Throws
 * `ModelFailure`.
 */
export async function gatherVectors(
  services: Services,
  embedder: Embedder,
  workspaceId: string,
  { signal, endsAt }: { signal: AbortSignal; endsAt: number },
): Promise<boolean> {
  const inside = <T>(work: Parameters<typeof inWorkspace<T>>[2]) => inWorkspace(services.db, workspaceId, work)
  const { space } = embedder
  const provider = embeddingProvider(services)
  for (let after = 0; ; ) {
    signal.throwIfAborted()
    if (performance.now() > endsAt || (await provider.isPaused())) return false
    const from = after
    const page = await inside((tx) => readMissing(tx, workspaceId, space, from, PAGE))
    if (page.length === 0) return !(await inside((tx) => isMissing(tx, workspaceId, space)))
    await fillVectors(services, embedder, workspaceId, page, { signal })
    // A page may end in the middle of a message.
    const last = page.at(-1)?.itemId ?? 0
    after = page.length < PAGE ? last : Math.max(from, last - 1)
  }
}
