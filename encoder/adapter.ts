import type { Tensors } from './safetensors.ts'

/** The linear layers of a transformer layer that an adapter changes. */
const ADAPTED = [
  'attention.self.query',
  'attention.self.key',
  'attention.self.value',
  'attention.output.dense',
  'intermediate.dense',
  'output.dense',
]
/** The columns of `down` and the rows of `up`. */
const RANK = 16

/**
 * The weights with a low-rank adapter merged into them: W + up · down for each adapted layer, computed at 32 bits in a fixed order, so
 * that the same two files give the same bits everywhere. `adapter`: `NAME.up` [rows, 16] and `NAME.down` [16, columns] for each adapted
 * layer NAME. `read` throws `BadTensors`, also where the adapter lacks a layer.
 */
export function withAdapter(weights: Tensors, adapter: Tensors): Tensors {
  return {
    read(name, shape) {
      const values = weights.read(name, shape)
      const layer = name.replace(/\.weight$/, '')
      if (layer === name || !ADAPTED.some((one) => layer.endsWith(`.${one}`))) return values
      const [rows, columns] = shape as [number, number]
      const up = adapter.read(`${layer}.up`, [rows, RANK])
      const down = Float32Array.from(adapter.read(`${layer}.down`, [RANK, columns]))
      return merged(Float32Array.from(values), Float32Array.from(up), down)
    },
    close() {
      weights.close()
      adapter.close()
    },
  }
}

/** Adds up · down to the rows of the weights, in place. Every sum is rounded to 32 bits, in the order of the rank. */
function merged(values: Float32Array, up: Float32Array, down: Float32Array): Float32Array {
  const columns = down.length / RANK
  for (let row = 0; row * columns < values.length; row++) {
    const start = row * columns
    for (let k = 0; k < RANK; k++) {
      const factor = up[row * RANK + k] as number
      const from = k * columns
      for (let i = 0; i < columns; i++) {
        values[start + i] = (values[start + i] as number) + Math.fround(factor * (down[from + i] as number))
      }
    }
  }
  return values
}
