import { createHash } from 'node:crypto'
import path from 'node:path'
import type { EmbeddingSettings } from '../../../platform/config/model-settings.ts'
import { ModelFailure } from '../../../platform/model-provider/failure.ts'
import type { ModelProvider } from '../../../platform/model-provider/provider.ts'

/**
 * Computes vectors of texts. `space` identifies the model: only vectors of the same space can be compared. `embed` returns one
 * vector of length 1 per text, in their order, all of one dimension. It throws `ModelFailure`, or the signal's reason when
 * that ended the call. `report` is called with the tokens that the model says were used, if it does.
 */
export type Embedder = {
  readonly space: string
  embed(texts: readonly string[], signal: AbortSignal, report?: (tokens: number) => void): Promise<Float32Array[]>
  /** Releases what a local model holds. */
  close?(): Promise<void>
}

/**
 * A model that a workspace can group with, and the record of its outages, which all processes share. A call for a workspace is within its share of
 * the day's budget.
 */
export type UsableModel = Pick<Embedder, 'space'> & {
  embed(texts: readonly string[], signal: AbortSignal, workspaceId?: string): Promise<Float32Array[]>
  readonly outages: Pick<ModelProvider, 'isPaused' | 'endOutage' | 'reportOutage' | 'settleFailure'>
}

/** The most texts and bytes in one call. The probe is one additional text. */
const BATCH = { texts: 63, bytes: 64 * 1024 }
/** The number of characters of a statement that are embedded: enough to tell its subject. */
const MAX_TEXT_LENGTH = 2_000
const MAX_DIMENSIONS = 8_192
/** What a model puts around each text. */
const OVERHEAD_TOKENS = 8

/** The full name of a model, which is also its space unless the name has referred to several models. */
export function spaceOf({ provider, model }: EmbeddingSettings): string {
  return `${provider}/${provider === 'local' && path.isAbsolute(model) ? path.basename(model) : model}`
}

/** The space of the second, third … model that a name has referred to. No provider's name contains the mark. */
export function spaceOfGeneration(name: string, generation: number): string {
  return generation === 1 ? name : name.replace('/', `#${generation}/`)
}

/** The full name of the model of a space. */
export function nameOfSpace(space: string): string {
  return space.replace(/^([^/#]*)#\d+\//, '$1/')
}

/** The name of a model without its provider, for people. */
export function modelOf(space: string): string {
  return space.slice(space.indexOf('/') + 1)
}

/** What is sent of a statement: white space collapsed, cut, without half a surrogate pair. */
export function textToEmbed(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_TEXT_LENGTH).toWellFormed()
}

/** Identifies a text that is sent. */
export function hashOfText(text: string): Buffer {
  return createHash('sha256').update(text).digest().subarray(0, 16)
}

/** The most tokens that a call can use: no tokeniser produces more tokens than there are bytes. */
export function maxTokensOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text) + OVERHEAD_TOKENS, 0)
}

/** Divides texts into batches of one call each. */
export function batchesOf<T extends { text: string }>(texts: readonly T[]): T[][] {
  const batches: T[][] = []
  let bytes = 0
  for (const one of texts) {
    const size = Buffer.byteLength(one.text)
    const last = batches.at(-1)
    if (last && last.length < BATCH.texts && bytes + size <= BATCH.bytes) {
      last.push(one)
      bytes += size
    } else {
      batches.push([one])
      bytes = size
    }
  }
  return batches
}

/** A model's vectors, normalised. Throws `ModelFailure` for a wrong number of them, mixed dimensions, zeros and non-numbers. */
export function checkedVectors(rows: readonly ArrayLike<number>[], texts: number): Float32Array[] {
  if (rows.length !== texts) throw malformed(`it returned ${rows.length} vectors for ${texts} texts`)
  const dims = rows[0]?.length ?? 0
  if (dims < 2 || dims > MAX_DIMENSIONS) throw malformed(`it returned vectors of ${dims} numbers`)
  return rows.map((row) => {
    if (row.length !== dims) throw malformed(`it returned vectors of ${dims} and of ${row.length} numbers`)
    let sum = 0
    for (let i = 0; i < dims; i++) sum += (row[i] as number) ** 2
    const length = Math.sqrt(sum)
    if (!Number.isFinite(length)) throw malformed('it returned vectors with values that are not numbers')
    if (length < 1e-9) throw malformed('it returned a vector of zeros')
    return Float32Array.from(row, (value) => value / length)
  })
}

/** A reply that cannot be used. */
export function malformed(what: string): ModelFailure {
  return new ModelFailure('rejected', what, { charged: true })
}
