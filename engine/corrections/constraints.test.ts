import { firstViolation } from '@groundswell/fixtures/engine/streams.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const row = fc.array(fc.nat(999), { minLength: 14, maxLength: 14 })

test.each([
  ['words', ''],
  ['sentences', 'encoder'],
])('no revision, edit or loss of the state violates a constraint, where %s are compared', (_, space) => {
  fc.assert(
    fc.property(fc.array(row, { minLength: 3, maxLength: 12 }), (rows) => {
      expect(firstViolation(rows, 12, space)).toBeNull()
    }),
    { numRuns: 60 },
  )
})
