import { test } from 'vitest'
import { holdConstraints } from './sample-streams.ts'

test('no regrouping, edit, loss of the state or later correction by the engine breaks what a person said', () => {
  holdConstraints({ numRuns: 60, revisions: 12 })
})
