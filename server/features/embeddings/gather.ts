import { inWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import type { Embedder } from './embedder.ts'
import { fillVectors } from './fill.ts'
import { embeddingProvider } from './provider.ts'
import { isMissing, readMissing } from './store.ts'

const PAGE = 512

/** `done`: no vector is missing. Otherwise the model is paused, or the time is up. */
export type Gathered = { embedded: number; done: boolean }

/**
 * Makes the missing vectors of a workspace, in the order of its messages. A run that is killed or gives way repeats at most the
 * batches that were in progress. Throws `ModelFailure`.
 */
export async function gatherVectors(
  services: Services,
  embedder: Embedder,
  workspaceId: string,
  { signal, endsAt }: { signal: AbortSignal; endsAt: number },
): Promise<Gathered> {
  const inside = <T>(work: Parameters<typeof inWorkspace<T>>[2]) => inWorkspace(services.db, workspaceId, work)
  const { space } = embedder
  const provider = embeddingProvider(services)
  let embedded = 0
  for (let after = 0; ; ) {
    signal.throwIfAborted()
    if (performance.now() > endsAt || (await provider.isPaused())) return { embedded, done: false }
    const from = after
    const page = await inside((tx) => readMissing(tx, workspaceId, space, from, PAGE))
    if (page.length === 0) return { embedded, done: !(await inside((tx) => isMissing(tx, workspaceId, space))) }
    await fillVectors(services, embedder, workspaceId, page, { signal })
    embedded += page.length
    // A page may end in the middle of a message.
    const last = page.at(-1)?.itemId ?? 0
    after = page.length < PAGE ? last : Math.max(from, last - 1)
  }
}
