import { defineCache } from '../../../platform/caches.ts'
import { encoderOf } from '../../../platform/encoder/encoder.ts'
import { ModelFailure } from '../../../platform/model-provider/failure.ts'
import type { Services } from '../../../platform/services.ts'
import type { SearchByMeaning } from '../../insights/index.ts'
import { builtinEmbedder } from '../models/builtin-embedder.ts'
import { readOfItems } from '../store.ts'
import { similarityOf } from '../vector-bytes.ts'
import { similarInsights } from './insight-centers.ts'

/** After this time a search continues by words. The start of the encoder's process continues too, so that the next search can use it. */
const TIME_LIMIT_MS = 3_000
const MAX_SEARCHES = 200

/** The vectors of the last searches, so that their further pages need no encoder. */
const searchesKey = defineCache('vectors of searches', () => new Map<string, Float32Array>())

/** Compares searches with stored vectors by the built-in encoder, whatever a workspace groups with: every statement has its vector. */
export function searchByMeaning(services: Services, timeLimitMs = TIME_LIMIT_MS): SearchByMeaning {
  return async (words) => {
    const found = await vectorOf(services, words, timeLimitMs)
    if (typeof found === 'string') return found
    const { space, vector } = found
    return {
      async similarities(tx, workspaceId, itemIds) {
        const stored = await readOfItems(tx, workspaceId, space, itemIds)
        return new Map([...stored].map(([id, one]) => [id, similarityOf(one.vector, vector)]))
      },
      nearInsights: (tx, workspaceId) => similarInsights(services, tx, workspaceId, found),
    }
  }
}

async function vectorOf(
  services: Services,
  words: string,
  timeLimitMs: number,
): Promise<{ space: string; vector: Float32Array } | 'off' | 'unavailable' | 'busy'> {
  if (!encoderOf(services)) return 'off'
  const model = await builtinEmbedder(services, { urgent: true })
  if (!model) return 'unavailable'
  const { space } = model
  const searches = services.caches.of(searchesKey)
  const key = `${space}\n${words}`
  const known = searches.get(key)
  if (known) return { space, vector: known }
  const limit = AbortSignal.timeout(timeLimitMs)
  try {
    const [vector] = await model.embed([words], limit)
    if (!vector) return 'unavailable'
    searches.set(key, vector)
    for (const oldest of searches.keys()) {
      if (searches.size <= MAX_SEARCHES) break
      searches.delete(oldest)
    }
    return { space, vector }
  } catch (error) {
    if (limit.aborted) return 'busy'
    if (error instanceof ModelFailure) return error.kind === 'unavailable' ? 'busy' : 'unavailable'
    throw error
  }
}
