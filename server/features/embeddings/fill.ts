import { inWorkspace, type Tx } from '../../platform/db/tenant.ts'
import { ModelFailure } from '../../platform/model-provider/failure.ts'
import type { Services } from '../../platform/services.ts'
import { batchesOf, hashOfText, modelOf, textToEmbed, type UsableModel } from './models/embedder.ts'
import * as store from './store.ts'
import { dimensionsOf, packVector } from './vector-bytes.ts'

/** Vectors by statement id. Those that the model rejects, and those that were not reached, are missing. */
export type Filled = Map<string, Uint8Array>

/** Called in the transaction that stored vectors of `statements` statements of these messages. */
export type VectorsStored = (tx: Tx, workspaceId: string, itemIds: number[], statements: number) => Promise<void>

type Text = { text: string; hash: Buffer; statements: store.StatementToEmbed[] }

const CONCURRENT_CALLS = 2
/** A text that any model accepts. */
const SIMPLE_TEXT = 'hello'

/**
 * Reads the vectors of these statements from the database, and requests the others from the model in batches. Each batch is
 * stored before the next is requested, so no text is sent again after a failure. Throws the model's failure; vectors received
 * before it are stored, and in `filled`.
 */
export async function fillVectors(
  services: Services,
  embedder: UsableModel,
  workspaceId: string,
  statements: readonly store.StatementToEmbed[],
  { signal, filled = new Map(), stored }: { signal: AbortSignal; filled?: Filled; stored?: VectorsStored | undefined },
): Promise<Filled> {
  const { space } = embedder
  const inside = <T>(work: (tx: Tx) => Promise<T>) => inWorkspace(services.db, workspaceId, work)
  const write = async (tx: Tx, rows: readonly store.VectorRow[]) => {
    await store.writeVectors(tx, workspaceId, space, rows)
    if (stored && rows.length > 0)
      await stored(tx, workspaceId, [...new Set(rows.map((row) => row.itemId))], rows.length)
  }
  const texts = [...groupByText(statements).values()]
  const rowsOf = (one: Text, vector: Uint8Array | null): store.VectorRow[] => {
    if (vector) for (const { itemId, number } of one.statements) filled.set(`${itemId}:${number}`, vector)
    return one.statements.map((statement) => ({ ...statement, hash: one.hash, vector }))
  }
  const { known, sample } = await inside(async (tx) => {
    const hashes = texts.map((one) => one.hash)
    const known = await store.readByHash(tx, workspaceId, space, hashes)
    const found = texts.filter((one) => known.has(one.hash.toString('base64')))
    const empty = texts.filter((one) => one.text === '' && !found.includes(one))
    const rows = [...found, ...empty].flatMap((one) => rowsOf(one, known.get(one.hash.toString('base64')) ?? null))
    await write(tx, rows)
    return { known, sample: await store.readSample(tx, workspaceId, space) }
  })
  let dims = sample ? dimensionsOf(sample) : null
  // A model pads all texts of a call to the longest, so texts of similar length go together.
  const missing = texts.filter((one) => one.text !== '' && !known.has(one.hash.toString('base64')))
  const batches = batchesOf(missing.sort((a, b) => a.text.length - b.text.length))
  const embedBatch = async (batch: Text[]) => {
    const vectors = await embedAcceptable((some) => embedder.embed(some, signal, workspaceId), batch)
    for (const vector of vectors) {
      dims ??= vector?.length ?? null
      if (vector && vector.length !== dims) throw dimensionsChanged(space, vector.length, dims as number)
    }
    const rows = batch.flatMap((one, at) => {
      const vector = vectors[at] ?? null
      return rowsOf(one, vector && packVector(vector))
    })
    await inside((tx) => write(tx, rows))
  }
  for (let at = 0; at < batches.length; at += CONCURRENT_CALLS) {
    signal.throwIfAborted()
    const done = await Promise.allSettled(batches.slice(at, at + CONCURRENT_CALLS).map(embedBatch))
    const failed = done.find((one) => one.status === 'rejected')
    if (failed) throw failed.reason
    await embedder.outages.endOutage()
  }
  return filled
}

/** One entry per text, since many people write the same. */
function groupByText(statements: readonly store.StatementToEmbed[]): Map<string, Text> {
  const byText = new Map<string, Text>()
  for (const statement of statements) {
    const text = textToEmbed(statement.text)
    const found = byText.get(text)
    if (found) found.statements.push(statement)
    else byText.set(text, { text, hash: hashOfText(text), statements: [statement] })
  }
  return byText
}

/**
 * The vectors of a batch. When the model rejects a batch but accepts a simple text, each text is sent alone, so that a
 * rejected one does not hold up the others. Null for texts that it rejects.
 */
async function embedAcceptable(
  embed: (texts: string[]) => Promise<Float32Array[]>,
  batch: readonly Text[],
): Promise<(Float32Array | null)[]> {
  const texts = batch.map((one) => one.text)
  try {
    return await embed(texts)
  } catch (error) {
    if (!isRejection(error)) throw error
    try {
      await embed([SIMPLE_TEXT])
    } catch {
      throw error
    }
  }
  const vectors: (Float32Array | null)[] = []
  for (const text of texts) {
    try {
      vectors.push((await embed([text]))[0] ?? null)
    } catch (error) {
      if (!isRejection(error)) throw error
      vectors.push(null)
    }
  }
  return vectors
}

function isRejection(error: unknown): boolean {
  return error instanceof ModelFailure && error.kind === 'rejected'
}

/** An operator has to act: vectors of two models cannot be compared. */
function dimensionsChanged(space: string, got: number, before: number): ModelFailure {
  return new ModelFailure(
    'auth',
    `it returned vectors of ${got} numbers, but earlier ones of ${modelOf(space)} have ${before}: it is a different model`,
  )
}
