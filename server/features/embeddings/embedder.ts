import { createHash } from 'node:crypto'
import path from 'node:path'
import type { EmbeddingSettings } from '../../platform/config/config.ts'
import { ModelFailure } from '../models/index.ts'

/**
 * Makes vectors of texts. `space` names the model: vectors of one space can be compared with each other and with no others.
 * `embed` gives one vector of length 1 a text, in their order, all of one dimension. It throws `ModelFailure` in our words
 * (the queue reads its kind and pause), and the signal's reason when that ended the call. `used` is called with the tokens that
 * the model says it took, if it says so.
 */
export type Embedder = {
  readonly space: string
  embed(texts: readonly string[], signal: AbortSignal, used?: (tokens: number) => void): Promise<Float32Array[]>
  /** Lets go of what a local model holds. */
  close?(): Promise<void>
}

/** At most this many texts and bytes are given to a model at once; with the probe it is one text more. */
const BATCH = { texts: 63, bytes: 64 * 1024 }
/** At most this many characters of one statement are read: what it is about is said by then. */
const MAX_TEXT_LENGTH = 2_000
const MAX_DIMENSIONS = 8_192

/** What a model is called, wherever it runs; and the space of its vectors, as long as no other model stood behind that name. */
export function spaceOf({ provider, model }: EmbeddingSettings): string {
  return `${provider}/${provider === 'local' && path.isAbsolute(model) ? path.basename(model) : model}`
}

/** The space of the model that is the second, third … behind a name. No provider has such a mark in its name. */
export function spaceOfGeneration(name: string, generation: number): string {
  return generation === 1 ? name : name.replace('/', `#${generation}/`)
}

/** What the model of a space is called. */
export function nameOfSpace(space: string): string {
  return space.replace(/^([^/#]*)#\d+\//, '$1/')
}

/** The name of a model without what makes it, for people. */
export function modelOf(space: string): string {
  return space.slice(space.indexOf('/') + 1)
}

/** What is sent of a statement: one run of spaces is one space, and no half of a surrogate pair is left. */
export function textToEmbed(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_TEXT_LENGTH).toWellFormed()
}

/** What a text that is sent is known by. */
export function hashOfText(text: string): Buffer {
  return createHash('sha256').update(text).digest().subarray(0, 16)
}

/** Cuts texts into batches that a model takes at once. */
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

/** Vectors as a model gave them, made 1 long. Throws for what are none: of another number, with what is no number, of zeros. */
export function checkedVectors(rows: readonly ArrayLike<number>[], texts: number): Float32Array[] {
  if (rows.length !== texts) throw lie(`it gives ${rows.length} vectors for ${texts} texts`)
  const dims = rows[0]?.length ?? 0
  if (dims < 2 || dims > MAX_DIMENSIONS) throw lie(`it gives vectors of ${dims} numbers`)
  return rows.map((row) => {
    if (row.length !== dims) throw lie(`it gives vectors of ${dims} and of ${row.length} numbers`)
    let sum = 0
    for (let i = 0; i < dims; i++) sum += (row[i] as number) ** 2
    const length = Math.sqrt(sum)
    if (!Number.isFinite(length)) throw lie('it gives vectors with values that are no numbers')
    if (length < 1e-9) throw lie('it gives a vector of zeros')
    return Float32Array.from(row, (value) => value / length)
  })
}

/** An answer that is none. */
export function lie(what: string): ModelFailure {
  return new ModelFailure('rejected', what, { charged: true })
}
