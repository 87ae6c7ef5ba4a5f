import { expect, test } from 'vitest'
import { feedbackExamples } from './examples/feedback.ts'
import { getImport, Import } from './feedback.ts'

/** What was added after imports were, with the values that stand for none. */
const ADDED = { context: 0, context_left_out: 0, own_by: null, own_people: [], undated: 0 }

test('an import as an earlier version reports it can be read: both versions serve during an update', () => {
  const { reply } = feedbackExamples.find(({ route }) => route === getImport) ?? {}
  const earlier = Object.fromEntries(Object.entries(reply as Import).filter(([name]) => !(name in ADDED)))
  expect(Import.parse(earlier)).toEqual({ ...earlier, ...ADDED })
})
