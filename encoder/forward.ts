import { type Kernels, loadKernels } from './kernels.ts'
import { Arena } from './memory.ts'
import type { Tensors } from './safetensors.ts'
import { bytesOfWeights, type Layer, type Linear, readWeights, SHAPE, type Weights } from './weights.ts'

/** The most tokens of a text; the model was trained on up to 256. */
export const MAX_TOKENS = 256
/** The least number of tokens in a batch, if there are as many: each batch reads all weights from memory once. */
const BATCH_TOKENS = 256
const MAX_ROWS = BATCH_TOKENS + MAX_TOKENS

const { width, inner } = SHAPE

/** Vectors of texts given as ids of tokens. */
export type Forward = (texts: readonly (readonly number[])[]) => Float32Array[]

/** The working memory of a batch: offsets. */
type Space = { state: number; sums: number; mixed: number; quantized: number; scales: number; attention: number }

/**
 * The model's forward pass: the mean of the states of a text's tokens, of length 1. Texts are computed in batches without
 * padding; no text affects another one's vector, so a vector has the same bits in every batch. Throws `BadTensors`.
 */
export async function openForward(tensors: Tensors): Promise<Forward> {
  const padded = MAX_TOKENS + 8
  const sizes = {
    state: MAX_ROWS * width * 4,
    sums: MAX_ROWS * inner * 4,
    mixed: MAX_ROWS * width * 4,
    quantized: MAX_ROWS * inner * 2,
    scales: MAX_ROWS * 4,
    attention: padded * (width / SHAPE.heads + 2) * 4,
  }
  const arena = new Arena(bytesOfWeights() + Object.values(sizes).reduce((sum, bytes) => sum + bytes + 64, 0))
  const weights = readWeights(tensors, arena)
  const kernels = await loadKernels(arena.memory)
  const space: Space = {
    state: arena.take(sizes.state),
    sums: arena.take(sizes.sums),
    mixed: arena.take(sizes.mixed),
    quantized: arena.take(sizes.quantized),
    scales: arena.take(sizes.scales),
    attention: arena.take(sizes.attention),
  }
  const state = arena.floats(space.state, MAX_ROWS * width)

  return (texts) => {
    const vectors: Float32Array[] = []
    for (const batch of batchesOf(texts)) {
      const rows = embed(batch, weights, state)
      runLayers(kernels, weights, space, batch, rows)
      let row = 0
      for (const { length } of batch) {
        vectors.push(meanOf(state.subarray(row * width, (row + length) * width)))
        row += length
      }
    }
    return vectors
  }
}

function batchesOf<T extends { length: number }>(texts: readonly T[]): T[][] {
  const batches: T[][] = []
  let tokens = BATCH_TOKENS
  for (const text of texts) {
    if (tokens >= BATCH_TOKENS) {
      batches.push([])
      tokens = 0
    }
    batches.at(-1)?.push(text)
    tokens += text.length
  }
  return batches
}

/** Writes the embeddings of all tokens of a batch, and returns how many there are. */
function embed(batch: readonly (readonly number[])[], { words, positions }: Weights, state: Float32Array): number {
  let at = 0
  for (const ids of batch) {
    for (const [position, id] of ids.entries()) {
      const word = id * width
      const place = position * width
      for (let i = 0; i < width; i++) state[at + i] = (words[word + i] as number) + (positions[place + i] as number)
      at += width
    }
  }
  return at / width
}

function runLayers(
  kernels: Kernels,
  { norm, layers }: Weights,
  space: Space,
  batch: readonly { length: number }[],
  rows: number,
): void {
  const { state, quantized, scales } = space
  kernels.normalize(state, norm.weight, norm.bias, quantized, scales, rows)
  for (const layer of layers) runLayer(kernels, layer, space, batch, rows)
}

/** One layer on the state and its quantised copy; both are replaced. */
function runLayer(
  kernels: Kernels,
  { attention, attended, attendedNorm, inner, outer, norm }: Layer,
  { state, sums, mixed, quantized, scales, attention: attentionSpace }: Space,
  batch: readonly { length: number }[],
  rows: number,
): void {
  const multiply = ({ weights, columns, depth }: Linear) =>
    // The rows after the last one, up to a multiple of four, hold what was there before, and nothing reads their sums.
    kernels.multiply(quantized, weights, sums, Math.ceil(rows / 4) * 4, columns, depth)
  const addToState = (linear: Linear) => kernels.addTo(state, sums, scales, linear.scales, linear.bias, rows)

  multiply(attention)
  kernels.finish(sums, scales, attention.scales, attention.bias, rows, attention.columns)
  let row = 0
  for (const { length } of batch) {
    kernels.attend(sums + row * attention.columns * 4, mixed + row * width * 4, length, attentionSpace)
    row += length
  }
  kernels.quantize(mixed, quantized, scales, rows, width)
  multiply(attended)
  addToState(attended)
  kernels.normalize(state, attendedNorm.weight, attendedNorm.bias, quantized, scales, rows)

  multiply(inner)
  kernels.activate(sums, scales, inner.scales, inner.bias, quantized, scales, rows, inner.columns)
  multiply(outer)
  addToState(outer)
  kernels.normalize(state, norm.weight, norm.bias, quantized, scales, rows)
}

/** The mean of rows, of length 1. */
function meanOf(rows: Float32Array): Float32Array {
  const sums = new Float64Array(width)
  for (let at = 0; at < rows.length; at += width) {
    for (let i = 0; i < width; i++) sums[i] = (sums[i] as number) + (rows[at + i] as number)
  }
  let squares = 0
  for (const sum of sums) squares += sum * sum
  const length = Math.sqrt(squares)
  return Float32Array.from(sums, (sum) => sum / length)
}
