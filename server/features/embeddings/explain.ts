import type { Tx } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import type { MeaningHooks } from '../insights/index.ts'
import { groupingModel, groupingSpace } from './grouping-model.ts'
import { modelOf } from './models/embedder.ts'
import { searchByMeaning } from './search/search-by-meaning.ts'
import { isComparedSince, readOfStatements } from './store.ts'
import { unpackVector } from './vector-bytes.ts'

/** What is compared beside words: by grouping, for explanations, and by searches. */
export function meaningHooks(services: Services): MeaningHooks {
  return {
    async comparedBy(tx, workspaceId, mention) {
      const space = await groupingSpace(services, tx, workspaceId)
      if (space === '' || !(await isComparedSince(tx, workspaceId, space, mention))) return null
      return modelOf(space)
    },
    languages: async (tx, workspaceId) => (await groupingModel(services, tx, workspaceId))?.languages ?? null,
    search: searchByMeaning(services),
    nearest: (tx, workspaceId, id, others, limit) => nearest(services, tx, workspaceId, { id, others, limit }),
  }
}

async function nearest(
  services: Services,
  tx: Tx,
  workspaceId: string,
  { id, others, limit }: { id: string; others: readonly string[]; limit: number },
): Promise<{ id: string; similarity: number }[]> {
  const space = await groupingSpace(services, tx, workspaceId)
  if (space === '') return []
  const stored = await readOfStatements(tx, workspaceId, space, [id, ...others])
  const vectors = stored.map((one) => ({ id: one.id, vector: unpackVector(one.vector) }))
  const own = vectors.find((one) => one.id === id)?.vector
  if (!own) return []
  return vectors
    .filter((one) => one.id !== id)
    .map((one) => ({ id: one.id, similarity: own.reduce((sum, value, at) => sum + value * (one.vector[at] ?? 0), 0) }))
    .sort((a, b) => b.similarity - a.similarity)
    .slice(0, limit)
}
