import { test } from 'vitest'
import { holdConstraints } from './sample-streams.ts'

test('a hundred regroupings break nothing that a person said', () => {
  holdConstraints({ numRuns: 150, revisions: 100 })
})
