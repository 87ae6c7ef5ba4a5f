import { firstViolation } from '@groundswell/fixtures/engine/streams.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const row = fc.array(fc.nat(999), { minLength: 14, maxLength: 14 })

/** Once found: a model moved most of an emerging insight into an insight, which held what people had rejected from the emerging one. */
const MERGED_BY_ADVICE = [
  [0, 475, 45, 448, 1, 406, 0, 0, 0, 0, 0, 0, 0, 0],
  [496, 0, 0, 93, 255, 1, 393, 0, 0, 0, 0, 0, 0, 0],
  [0, 0, 0, 0, 0, 0, 858, 278, 397, 0, 0, 0, 0, 0],
  [539, 139, 702, 897, 191, 196, 573, 0, 0, 0, 0, 0, 0, 0],
]

test.each([
  ['words are compared', {}],
  ['sentences are compared', { space: 'encoder' }],
  ['words are compared and a model reads and reviews', { reads: true }],
  ['sentences are compared and a model reads and reviews', { space: 'encoder', reads: true }],
])('no revision, edit or loss of the state violates a constraint, where %s', (_, given) => {
  fc.assert(
    fc.property(fc.array(row, { minLength: 3, maxLength: 12 }), (rows) => {
      expect(firstViolation(rows, 12, given)).toBeNull()
    }),
    { numRuns: 60, examples: [[MERGED_BY_ADVICE]] },
  )
})
