import type { Arena } from './memory.ts'
import type { Tensors } from './safetensors.ts'

/** The shape of all-MiniLM-L6-v2, which the kernels are written for. */
export const SHAPE = { width: 384, inner: 1536, heads: 12, layers: 6, words: 30_522, positions: 512 }

/** Activations are quantised to integers of at most this size, as in the kernels. */
const ACTIVATION_LEVELS = 2047
const MAX_INT16 = 32_767
const MAX_INT32 = 2 ** 31 - 1
/** The columns of a panel of packed weights. */
const PANEL = 8

/** A linear layer: offsets of packed weights, of the scale of each column and of the bias. */
export type Linear = { weights: number; scales: number; bias: number; columns: number; depth: number }
/** A layer normalisation: offsets. */
type Norm = { weight: number; bias: number }
/** The weights of one layer of the encoder. */
export type Layer = {
  attention: Linear
  attended: Linear
  attendedNorm: Norm
  inner: Linear
  outer: Linear
  norm: Norm
}
/** `words` stays at 16 bits, half the memory; `positions` includes the type of a first text. */
export type Weights = { words: Float16Array; positions: Float32Array; norm: Norm; layers: Layer[] }

/** The bytes of memory that `readWeights` takes. */
export function bytesOfWeights(): number {
  const { width, inner, layers } = SHAPE
  const perLayer = 2 * width * (4 * width + 2 * inner) + 4 * (16 * width + 2 * inner)
  return layers * perLayer + (1 << 16)
}

/** Reads the weights and packs those of linear layers, once, as the kernels read them. Throws `BadTensors`. */
export function readWeights(tensors: Tensors, arena: Arena): Weights {
  const { width, inner, layers, words, positions } = SHAPE
  const norm = (name: string): Norm => ({
    weight: arena.put(tensors.read(`${name}.weight`, [width])),
    bias: arena.put(tensors.read(`${name}.bias`, [width])),
  })
  const linear = (name: string, columns: number, depth: number) => packLinear(tensors, arena, [name], columns, depth)
  const type = tensors.read('embeddings.token_type_embeddings.weight', [2, width])
  const placed = Float32Array.from(tensors.read('embeddings.position_embeddings.weight', [positions, width]))
  for (let i = 0; i < placed.length; i++) placed[i] = (placed[i] as number) + (type[i % width] as number)
  return {
    words: halved(tensors.read('embeddings.word_embeddings.weight', [words, width])),
    positions: placed,
    norm: norm('embeddings.LayerNorm'),
    layers: Array.from({ length: layers }, (_, index): Layer => {
      const at = `encoder.layer.${index}`
      const parts = ['query', 'key', 'value'].map((part) => `${at}.attention.self.${part}`)
      return {
        attention: packLinear(tensors, arena, parts, width, width, width / SHAPE.heads),
        attended: linear(`${at}.attention.output.dense`, width, width),
        attendedNorm: norm(`${at}.attention.output.LayerNorm`),
        inner: linear(`${at}.intermediate.dense`, inner, width),
        outer: linear(`${at}.output.dense`, width, inner),
        norm: norm(`${at}.output.LayerNorm`),
      }
    }),
  }
}

function halved(values: Float16Array | Float32Array): Float16Array {
  return values instanceof Float16Array ? values : Float16Array.from(values)
}

/**
 * Packs linear layers of one input side by side: integers with a scale per column, as large as the sums of 32 bits allow.
 * `headSize`: the first layer gives the queries of heads of this size, which are divided by its square root.
 */
function packLinear(
  tensors: Tensors,
  arena: Arena,
  names: readonly string[],
  columns: number,
  depth: number,
  headSize = 1,
): Linear {
  const levels = Math.min(MAX_INT16, Math.floor(MAX_INT32 / (depth * ACTIVATION_LEVELS)))
  const total = names.length * columns
  const weights = arena.take(total * depth * 2)
  const packed = arena.integers(weights, total * depth)
  const scales = new Float32Array(total)
  const bias = new Float32Array(total)
  const values = new Float32Array(depth)
  for (const [index, name] of names.entries()) {
    const factor = index === 0 ? 1 / Math.sqrt(headSize) : 1
    const rows = tensors.read(`${name}.weight`, [columns, depth])
    const biases = tensors.read(`${name}.bias`, [columns])
    for (let i = 0; i < columns; i++) {
      const column = index * columns + i
      values.set(rows.subarray(i * depth, (i + 1) * depth))
      const scale = packColumn(packed, column, values, levels)
      scales[column] = scale * factor
      bias[column] = (biases[i] as number) * factor
    }
  }
  return { weights, scales: arena.put(scales), bias: arena.put(bias), columns: total, depth }
}

/** Writes one column in its panel, [panel][depth / 2][8][2], and returns its scale. */
function packColumn(packed: Int16Array, column: number, values: Float32Array, levels: number): number {
  let largest = 0
  for (const value of values) largest = Math.max(largest, Math.abs(value))
  const scale = largest / levels || 1
  const panel = Math.floor(column / PANEL) * PANEL * values.length
  const start = panel + (column % PANEL) * 2
  for (let i = 0; i < values.length; i++) {
    packed[start + (i >> 1) * PANEL * 2 + (i & 1)] = Math.round((values[i] as number) / scale)
  }
  return scale
}
