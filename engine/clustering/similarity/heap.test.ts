import fc from 'fast-check'
import { expect, test } from 'vitest'
import { heapify, takeSmallest } from './heap.ts'

test('takes the numbers out from the least to the greatest', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 40 }), (values) => {
      const heap = Int32Array.from([...values, -1])
      heapify(heap, values.length)
      const taken = values.map((_, i) => takeSmallest(heap, values.length - i))
      expect(taken).toEqual(values.toSorted((a, b) => a - b))
    }),
  )
})
