import { readFile } from 'node:fs/promises'
import { withAdapter } from './adapter.ts'
import { tuneCompiler } from './compiler.ts'
import { MAX_TOKENS, openForward } from './forward.ts'
import { findModel, type ModelChoice, ModelMissing } from './model-folder.ts'
import { BadTensors, openTensors } from './safetensors.ts'
import { SHAPE } from './weights.ts'
import { BadTokenizer, parseWordPiece, wordPiece } from './wordpiece.ts'

/** The numbers of a vector. */
export const DIMENSIONS = 384

/**
 * Raised when the same model's vectors change by more than rounding, so that those of before are computed again. A test holds
 * the exact bits.
 */
export const VERSION = 1
/** The languages that the model was made for. */
export const LANGUAGES = ['en'] as const

/** A sentence encoder that is loaded. `model`: its name, different for different weights. */
export type Encoder = {
  readonly model: string
  /** See `ModelFiles`. */
  readonly isKnown: boolean
  /** Whether our adapter is merged into its weights. */
  readonly isAdapted: boolean
  /**
   * One vector of length 1 per text, in their order. A text's vector has the same bits whatever it is encoded with, and only
   * its first 256 tokens count. Blocks the thread for a few milliseconds per text.
   */
  encode(texts: readonly string[]): Float32Array[]
}

/**
 * Loads a model, see `findModel`. `compile` first sets up V8 for this process, see `tuneCompiler`; the revectorizer is then used
 * for known weights only, since the self-test knows nothing of the vectors of others. Throws `ModelMissing`.
 */
export async function openEncoder(choice: ModelChoice = {}, compile?: { revectorize: boolean }): Promise<Encoder> {
  const { name, tokenizer, weights, adapter, isKnown } = await findModel(choice)
  if (compile) tuneCompiler({ revectorize: compile.revectorize && isKnown })
  try {
    const tokenize = wordPiece(parseWordPiece(await readFile(tokenizer, 'utf8'), SHAPE.words), MAX_TOKENS)
    const tensors = adapter === null ? openTensors(weights) : withAdapter(openTensors(weights), openTensors(adapter))
    try {
      const forward = await openForward(tensors)
      return { model: name, isKnown, isAdapted: adapter !== null, encode: (texts) => forward(texts.map(tokenize)) }
    } finally {
      tensors.close()
    }
  } catch (error) {
    if (!(error instanceof BadTensors) && !(error instanceof BadTokenizer)) throw error
    throw new ModelMissing(`the model ${name} is not of the shape of all-MiniLM-L6-v2: ${error.message}`)
  }
}
