import { firstViolation } from '@groundswell/fixtures/engine/streams.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const row = fc.array(fc.nat(999), { minLength: 14, maxLength: 14 })

test.each([
  ['words are compared', {}],
  ['sentences are compared', { space: 'encoder' }],
  ['words are compared and a model reads and reviews', { reads: true }],
  ['sentences are compared and a model reads and reviews', { space: 'encoder', reads: true }],
])('a hundred revisions violate no constraint, where %s', (_, given) => {
  fc.assert(
    fc.property(fc.array(row, { minLength: 3, maxLength: 12 }), (rows) => {
      expect(firstViolation(rows, 100, given)).toBeNull()
    }),
    { numRuns: 75 },
  )
})
