import { expect, test } from 'vitest'
import { withAdapter } from './adapter.ts'
import { BadTensors, type Tensors } from './safetensors.ts'

const LAYER = 'encoder.layer.0.output.dense'

/** Tensors in memory. `closed` lists those that were closed. */
function tensorsOf(name: string, values: Record<string, Float16Array | Float32Array>, closed: string[] = []): Tensors {
  return {
    read(wanted) {
      const found = values[wanted]
      if (!found) throw new BadTensors(`there is no tensor ${wanted}`)
      return found
    },
    close: () => void closed.push(name),
  }
}

/** A column of `up` or a row of `down`, the first of sixteen; the others are 0. */
const firstOf = (values: number[]) => Float16Array.from(values)

test('each weight of an adapted layer is its own plus the product of the two matrices', () => {
  const up = new Float16Array(2 * 16)
  up.set([2, 0.5], 0)
  up.set([-1, 0], 16)
  const down = new Float16Array(16 * 3)
  down.set([1, 2, 3], 0)
  down.set([4, 0, 8], 3)
  const weights = tensorsOf('weights', { [`${LAYER}.weight`]: firstOf([1, 1, 1, 10, 10, 10]) })
  const merged = withAdapter(weights, tensorsOf('adapter', { [`${LAYER}.up`]: up, [`${LAYER}.down`]: down }))
  expect(merged.read(`${LAYER}.weight`, [2, 3])).toEqual(
    Float32Array.of(1 + 2 + 2, 1 + 4, 1 + 6 + 4, 10 - 1, 10 - 2, 10 - 3),
  )
})

test('what the adapter does not change is read as it is', () => {
  const bias = firstOf([1, 2])
  const norm = firstOf([3])
  const weights = tensorsOf('weights', { [`${LAYER}.bias`]: bias, 'encoder.layer.0.output.LayerNorm.weight': norm })
  const merged = withAdapter(weights, tensorsOf('adapter', {}))
  expect(merged.read(`${LAYER}.bias`, [2])).toBe(bias)
  expect(merged.read('encoder.layer.0.output.LayerNorm.weight', [1])).toBe(norm)
})

test('an adapter without a layer is refused, and both files are closed', () => {
  const closed: string[] = []
  const weights = tensorsOf('weights', { [`${LAYER}.weight`]: firstOf([1]) }, closed)
  const merged = withAdapter(weights, tensorsOf('adapter', {}, closed))
  expect(() => merged.read(`${LAYER}.weight`, [1, 1])).toThrow(new BadTensors(`there is no tensor ${LAYER}.up`))
  merged.close()
  expect(closed).toEqual(['weights', 'adapter'])
})
