import { withoutWorkspace } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import { maxTokensOf, type UsableModel } from './embedder.ts'
import { isSameModel, PROBE, recogniseModel } from './known-model.ts'
import { readKnown } from './known-model-store.ts'
import { embedderOf } from './open-embedder.ts'
import { embeddingProvider } from './provider.ts'

/** The name of the model now refers to a different model from the one that vectors were requested from. */
export class ModelChanged extends Error {
  override name = 'ModelChanged'
}

/**
 * The model that this process was started with, under its current space; null without one. Every call also embeds the probe.
 * If that shows a different model, the vectors are discarded, the space that is offered changes, and `ModelChanged` is
 * thrown. Throws `BudgetExhausted` when the call does not fit into the day's budget.
 */
export async function offeredEmbedder(services: Services): Promise<UsableModel | null> {
  const embedder = embedderOf(services)
  if (!embedder) return null
  const provider = embeddingProvider(services)
  const name = embedder.space
  let known = await withoutWorkspace(services.db, (tx) => readKnown(tx, name))
  const space = known?.space ?? name
  return {
    space,
    outages: provider,
    async embed(texts, signal, workspaceId) {
      const input = [...texts, PROBE]
      const expense = { workspaceId: workspaceId ?? null, maxTokens: maxTokensOf(input) }
      const { result: vectors } = await provider.spend(expense, (report) => embedder.embed(input, signal, report))
      const probe = vectors.pop() as Float32Array
      if (known && isSameModel(known, probe)) return vectors
      const found = await recogniseModel(services, name, probe)
      if (found.space !== space) throw new ModelChanged('its name now refers to a different model')
      known = found
      return vectors
    },
  }
}
