import type { Tx } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import type { VectorSource } from '../insights/index.ts'
import { ModelFailure } from '../models/index.ts'
import { requestLater } from './advance-job.ts'
import { type Filled, fillVectors } from './fill.ts'
import { embedderOf } from './open-embedder.ts'
import * as store from './store.ts'
import { isPaused, noteTrouble } from './trouble.ts'
import { unpackVector } from './vector-bytes.ts'

/** Grouping does not wait longer for the vectors of what it is about to place. */
const PATIENCE_MS = 30_000
/** A model that is out of reach is left alone for so long: each step of grouping would wait for it again. */
const AWAY_SECONDS = 60

/**
 * The vectors that grouping asks for. It never fails for them: what a model does not give in time is grouped by its words, and
 * its vector is made later, for the next time that the groups are built anew.
 */
export function vectorSource(services: Services, patienceMs = PATIENCE_MS): VectorSource {
  return {
    space: (tx, workspaceId) => store.readChoice(tx, workspaceId),
    stored: (tx, workspaceId, space, itemIds) => readVectors(tx, workspaceId, space, itemIds),
    async fresh(workspaceId, space, statements, stop) {
      const embedder = embedderOf(services)
      const filled: Filled = new Map()
      if (embedder?.space !== space || statements.length === 0 || (await isPaused(services))) return new Map()
      const ended = AbortSignal.timeout(patienceMs)
      try {
        const signal = stop ? AbortSignal.any([stop, ended]) : ended
        await fillVectors(services, embedder, workspaceId, statements, { signal, filled })
      } catch (error) {
        if (error instanceof ModelFailure) {
          await noteTrouble(services, error, error.kind === 'unavailable' ? AWAY_SECONDS : undefined)
          await requestLater(services, workspaceId, error.retryAfter ?? AWAY_SECONDS)
        } else if (ended.aborted) {
          const slow = new ModelFailure('unavailable', `it takes longer than ${patienceMs / 1000} s for what came in`)
          await noteTrouble(services, slow, AWAY_SECONDS)
          await requestLater(services, workspaceId, AWAY_SECONDS)
        } else if (!stop?.aborted) throw error
      }
      return unpacked(filled)
    },
  }
}

async function readVectors(tx: Tx, workspaceId: string, space: string, itemIds: readonly number[]) {
  return unpacked(await store.readOfItems(tx, workspaceId, space, itemIds))
}

function unpacked(vectors: ReadonlyMap<string, Uint8Array>): Map<string, Float32Array> {
  return new Map([...vectors].map(([id, bytes]) => [id, unpackVector(bytes)]))
}
