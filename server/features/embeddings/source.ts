import type { Tx } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import type { VectorSource } from '../insights/index.ts'
import { ModelFailure } from '../models/index.ts'
import { requestLater } from './advance-job.ts'
import { BudgetSpent } from './budget.ts'
import { hashOfText, textToEmbed } from './embedder.ts'
import { type Filled, fillVectors } from './fill.ts'
import { AnotherModel, offeredEmbedder } from './offered.ts'
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
    stored: readVectors,
    async fresh(workspaceId, space, statements, stop) {
      const embedder = await offeredEmbedder(services)
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
        } else if (!stop?.aborted && !isNotNow(error)) throw error
      }
      return unpacked(filled)
    },
  }
}

/** A vector is of one text. Where its statement has another one by now, it is removed, to be made anew in the background. */
async function readVectors(
  tx: Tx,
  workspaceId: string,
  space: string,
  statements: readonly { itemId: string; number: number; text: string }[],
) {
  const items = [...new Set(statements.map((one) => Number(one.itemId)))]
  const stored = await store.readOfItems(tx, workspaceId, space, items)
  const vectors = new Map<string, Uint8Array>()
  const stale: { itemId: number; number: number }[] = []
  for (const { itemId, number, text } of statements) {
    const found = stored.get(`${itemId}:${number}`)
    if (found?.hash.equals(hashOfText(textToEmbed(text)))) vectors.set(`${itemId}:${number}`, found.vector)
    else if (found) stale.push({ itemId: Number(itemId), number })
  }
  await store.forgetVectors(tx, workspaceId, space, stale)
  return unpacked(vectors)
}

/** What was asked for is not to be had now, and nothing is wrong: the background makes it later. */
function isNotNow(error: unknown): boolean {
  return error instanceof BudgetSpent || error instanceof AnotherModel
}

function unpacked(vectors: ReadonlyMap<string, Uint8Array>): Map<string, Float32Array> {
  return new Map([...vectors].map(([id, bytes]) => [id, unpackVector(bytes)]))
}
