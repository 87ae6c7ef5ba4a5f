import type { Tx } from '../../platform/db/tenant.ts'
import { ModelFailure } from '../../platform/model-provider/failure.ts'
import { BudgetExhausted } from '../../platform/model-provider/provider.ts'
import type { Services } from '../../platform/services.ts'
import type { VectorSource } from '../insights/index.ts'
import { requestAdvanceLater } from './advance-job.ts'
import { type Filled, fillVectors } from './fill.ts'
import { groupingModel } from './grouping-model.ts'
import { hashOfText, textToEmbed } from './models/embedder.ts'
import { ModelChanged } from './models/offered-embedder.ts'
import { modelOfSpace } from './models/usable-models.ts'
import * as store from './store.ts'
import { unpackVector } from './vector-bytes.ts'

/** The longest that grouping waits for the vectors of new feedback. */
const MAX_WAIT_MS = 30_000
/** The pause after the model was unavailable or slow, since each step of grouping would wait for it again. */
const PAUSE_SECONDS = 60

/**
 * The vectors for grouping. It never fails: feedback whose vectors do not arrive in time is grouped by its words, and its
 * vectors are computed later, for the next time that the groups are rebuilt.
 */
export function vectorSource(services: Services, maxWaitMs = MAX_WAIT_MS): VectorSource {
  return {
    model: (tx, workspaceId) => groupingModel(services, tx, workspaceId),
    stored: readVectors,
    withVectors: store.readItemsWithVector,
    async fresh(workspaceId, space, statements, stop) {
      const model = await modelOfSpace(services, space, { urgent: true })
      const filled: Filled = new Map()
      if (!model || statements.length === 0 || (await model.outages.isPaused())) return new Map()
      const limit = AbortSignal.timeout(maxWaitMs)
      try {
        const signal = stop ? AbortSignal.any([stop, limit]) : limit
        await fillVectors(services, model, workspaceId, statements, { signal, filled })
      } catch (error) {
        if (error instanceof ModelFailure) {
          await model.outages.reportOutage(error, error.kind === 'unavailable' ? PAUSE_SECONDS : undefined)
          await requestAdvanceLater(services, workspaceId, error.retryAfter ?? PAUSE_SECONDS)
        } else if (limit.aborted) {
          const slow = new ModelFailure('unavailable', `it needs more than ${maxWaitMs / 1000} s for new feedback`)
          await model.outages.reportOutage(slow, PAUSE_SECONDS)
          await requestAdvanceLater(services, workspaceId, PAUSE_SECONDS)
        } else if (!stop?.aborted && !isDeferred(error)) throw error
      }
      return unpacked(filled)
    },
  }
}

/** The stored vectors. One whose statement now has a different text is deleted, and computed again in the background. */
async function readVectors(
  tx: Tx,
  workspaceId: string,
  space: string,
  statements: readonly { itemId: string; number: number; text: string; point?: string | null }[],
) {
  const items = [...new Set(statements.map((one) => Number(one.itemId)))]
  const stored = await store.readOfItems(tx, workspaceId, space, items)
  const vectors = new Map<string, Uint8Array>()
  const stale: { itemId: number; number: number }[] = []
  for (const { itemId, number, text, point } of statements) {
    const found = stored.get(`${itemId}:${number}`)
    if (found?.hash.equals(hashOfText(textToEmbed(point ?? text)))) vectors.set(`${itemId}:${number}`, found.vector)
    else if (found) stale.push({ itemId: Number(itemId), number })
  }
  await store.deleteVectors(tx, workspaceId, space, stale)
  return unpacked(vectors)
}

/** Nothing is wrong, and a later run computes the vectors. */
function isDeferred(error: unknown): boolean {
  return error instanceof BudgetExhausted || error instanceof ModelChanged
}

function unpacked(vectors: ReadonlyMap<string, Uint8Array>): Map<string, Float32Array> {
  return new Map([...vectors].map(([id, bytes]) => [id, unpackVector(bytes)]))
}
