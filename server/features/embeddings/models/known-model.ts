import { withoutWorkspace } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import { packVector, unpackVector } from '../vector-bytes.ts'
import { modelOf, spaceOfGeneration } from './embedder.ts'
import { type KnownModel, lockAndReadAll, writeCurrent } from './known-model-store.ts'

/** Embedded with every call. Its vector identifies the model. */
export const PROBE = 'The export of our monthly report stops after the first thousand rows.'

/** Two vectors of one text with at least this cosine are by one model. Rounding and batching change far less. */
const MIN_COSINE = 0.99

/** Whether a vector of the probe is by this model. */
export function isSameModel({ probe }: Pick<KnownModel, 'probe'>, vector: Float32Array): boolean {
  const before = unpackVector(probe)
  if (before.length !== vector.length) return false
  return before.reduce((sum, value, at) => sum + value * (vector[at] as number), 0) >= MIN_COSINE
}

/**
 * Stores which model a name refers to now and returns it: the current one, one that the name referred to before, or a new
 * one, which gets its own space. A change is logged. Concurrent workers agree.
 */
export async function recogniseModel(services: Services, name: string, vector: Float32Array): Promise<KnownModel> {
  const since = services.now()
  const { known, isChanged } = await withoutWorkspace(services.db, async (tx) => {
    const all = await lockAndReadAll(tx, name)
    const found = all.find((one) => isSameModel(one, vector))
    if (found?.current) return { known: found, isChanged: false }
    const probe = found?.probe ?? packVector(vector)
    const space = found?.space ?? spaceOfGeneration(name, all.length + 1)
    await writeCurrent(tx, name, { space, probe, since })
    return { known: { space, probe, since }, isChanged: all.length > 0 }
  })
  if (isChanged) {
    services.log.warn(
      { model: modelOf(name) },
      'the name of the embedding model now refers to a different model: its vectors are not mixed with earlier ones',
    )
  }
  return known
}
