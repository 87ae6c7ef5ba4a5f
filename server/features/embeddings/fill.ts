import { inWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { ModelFailure } from '../models/index.ts'
import { batchesOf, type Embedder, hashOfText, modelOf, textToEmbed } from './embedder.ts'
import * as store from './store.ts'
import { clearTrouble } from './trouble.ts'
import { dimensionsOf, packVector } from './vector-bytes.ts'

/** Vectors by statement id as far as they are known; what is missing was refused by the model, or the filling was ended. */
export type Filled = Map<string, Uint8Array>

type Asked = { text: string; hash: Buffer; of: store.Wanted[] }

const AT_ONCE = 2
/** What any model takes. */
const PROBE = 'hello'

/**
 * Finds the vectors of these statements in what is stored, and asks the model for the rest, a batch at a time. Each batch is
 * stored before the next is asked for, so what was answered is never asked again. Throws what the model's failure is; what came
 * before it is stored, and in `filled`.
 */
export async function fillVectors(
  services: Services,
  embedder: Embedder,
  workspaceId: string,
  wanted: readonly store.Wanted[],
  { signal, filled = new Map() }: { signal: AbortSignal; filled?: Filled },
): Promise<Filled> {
  const { space } = embedder
  const inside = <T>(work: (tx: Parameters<typeof store.readChoice>[0]) => Promise<T>) =>
    inWorkspace(services.db, workspaceId, work)
  const asked = [...groupByText(wanted).values()]
  const keep = (one: Asked, vector: Uint8Array | null): store.VectorRow[] => {
    if (vector) for (const { itemId, number } of one.of) filled.set(`${itemId}:${number}`, vector)
    return one.of.map((statement) => ({ ...statement, hash: one.hash, vector }))
  }
  const { known, sample } = await inside(async (tx) => {
    const hashes = asked.map((one) => one.hash)
    const known = await store.readByHash(tx, workspaceId, space, hashes)
    const found = asked.filter((one) => known.has(one.hash.toString('base64')))
    const empty = asked.filter((one) => one.text === '' && !found.includes(one))
    const rows = [...found, ...empty].flatMap((one) => keep(one, known.get(one.hash.toString('base64')) ?? null))
    await store.writeVectors(tx, workspaceId, space, rows)
    return { known, sample: await store.readSample(tx, workspaceId, space) }
  })
  let dims = sample ? dimensionsOf(sample) : null
  // A model makes all texts of a call as long as the longest: texts of one length cost least together.
  const missing = asked.filter((one) => one.text !== '' && !known.has(one.hash.toString('base64')))
  const batches = batchesOf(missing.sort((a, b) => a.text.length - b.text.length))
  const work = async (batch: Asked[]) => {
    const vectors = await embedOrRefuse(embedder, batch, signal)
    for (const vector of vectors) {
      dims ??= vector?.length ?? null
      if (vector && vector.length !== dims) throw otherModel(space, vector.length, dims as number)
    }
    const rows = batch.flatMap((one, at) => {
      const vector = vectors[at] ?? null
      return keep(one, vector && packVector(vector))
    })
    await inside((tx) => store.writeVectors(tx, workspaceId, space, rows))
  }
  for (let at = 0; at < batches.length; at += AT_ONCE) {
    signal.throwIfAborted()
    const done = await Promise.allSettled(batches.slice(at, at + AT_ONCE).map(work))
    const failed = done.find((one) => one.status === 'rejected')
    if (failed) throw failed.reason
    await clearTrouble(services)
  }
  return filled
}

/** One entry a text, since many people write the same. */
function groupByText(wanted: readonly store.Wanted[]): Map<string, Asked> {
  const byText = new Map<string, Asked>()
  for (const one of wanted) {
    const text = textToEmbed(one.text)
    const found = byText.get(text)
    if (found) found.of.push(one)
    else byText.set(text, { text, hash: hashOfText(text), of: [one] })
  }
  return byText
}

/**
 * The vectors of a batch. A model that refuses a batch, but not everything, is asked about each text alone: one text that it does
 * not take must not keep it from the others. What it refuses then is null.
 */
async function embedOrRefuse(
  embedder: Embedder,
  batch: readonly Asked[],
  signal: AbortSignal,
): Promise<(Float32Array | null)[]> {
  const texts = batch.map((one) => one.text)
  try {
    return await embedder.embed(texts, signal)
  } catch (error) {
    if (!isRefusal(error)) throw error
    try {
      await embedder.embed([PROBE], signal)
    } catch {
      throw error
    }
  }
  const vectors: (Float32Array | null)[] = []
  for (const text of texts) {
    try {
      vectors.push((await embedder.embed([text], signal))[0] ?? null)
    } catch (error) {
      if (!isRefusal(error)) throw error
      vectors.push(null)
    }
  }
  return vectors
}

function isRefusal(error: unknown): boolean {
  return error instanceof ModelFailure && error.kind === 'rejected'
}

/** A person has to see to it: vectors of two models cannot be compared. */
function otherModel(space: string, got: number, before: number): ModelFailure {
  return new ModelFailure(
    'auth',
    `it gives vectors of ${got} numbers, and those of ${modelOf(space)} before had ${before}: it is another model now`,
  )
}
