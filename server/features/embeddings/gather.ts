import { inWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import type { Embedder } from './embedder.ts'
import { fillVectors } from './fill.ts'
import { isMissing, readMissing } from './store.ts'
import { isPaused } from './trouble.ts'

const PAGE = 512

/** `done`: every statement has been asked about. Else the model rests, or `until` came. */
export type Gathered = { asked: number; done: boolean }

/**
 * Makes the vectors that a workspace lacks, in the order of its messages. What is stored is not asked about again, so a run that
 * is killed, or gives way, costs at most the batches that were on their way. Throws `ModelFailure`.
 */
export async function gatherVectors(
  services: Services,
  embedder: Embedder,
  workspaceId: string,
  { signal, endsAt }: { signal: AbortSignal; endsAt: number },
): Promise<Gathered> {
  const inside = <T>(work: Parameters<typeof inWorkspace<T>>[2]) => inWorkspace(services.db, workspaceId, work)
  const { space } = embedder
  let asked = 0
  for (let after = 0; ; ) {
    signal.throwIfAborted()
    if (performance.now() > endsAt || (await isPaused(services))) return { asked, done: false }
    const from = after
    const page = await inside((tx) => readMissing(tx, workspaceId, space, from, PAGE))
    if (page.length === 0) return { asked, done: !(await inside((tx) => isMissing(tx, workspaceId, space))) }
    await fillVectors(services, embedder, workspaceId, page, { signal })
    asked += page.length
    // A page may end in the middle of a message.
    const last = page.at(-1)?.itemId ?? 0
    after = page.length < PAGE ? last : Math.max(from, last - 1)
  }
}
