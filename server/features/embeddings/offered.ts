import { withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { embedPaid } from './budget.ts'
import type { Embedder } from './embedder.ts'
import { isLike, PROBE, readKnown, recogniseModel } from './known-model.ts'
import { embedderOf } from './open-embedder.ts'

/** Behind the model's name is another model than the one that vectors were asked of. */
export class AnotherModel extends Error {
  override name = 'AnotherModel'
}

/**
 * The model that this process was started with, as it answers now; null: none is set up. Its space is the one whose vectors it
 * makes. With every call goes the probe: when that shows another model, nothing of the answer is given, and `AnotherModel` is
 * thrown; the space that is offered is another one from then on. Throws `BudgetSpent` when the day's budget is used up.
 */
export async function offeredEmbedder(services: Services): Promise<Embedder | null> {
  const embedder = embedderOf(services)
  if (!embedder) return null
  const name = embedder.space
  let known = await withoutWorkspace(services.db, (tx) => readKnown(tx, name))
  const space = known?.space ?? name
  return {
    space,
    async embed(texts, signal) {
      const vectors = await embedPaid(services, embedder, [...texts, PROBE], signal)
      const answered = vectors.pop() as Float32Array
      if (known && isLike(known, answered)) return vectors
      const found = await recogniseModel(services, name, answered)
      if (found.space !== space) throw new AnotherModel('behind its name is another model now')
      known = found
      return vectors
    },
    close: () => embedder.close?.() ?? Promise.resolve(),
  }
}
