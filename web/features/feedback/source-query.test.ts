import { expect, test } from 'vitest'
import { offeredSources } from './source-query.ts'

const tickets = { id: 'a', name: 'tickets', messages: 11 }
const survey = { id: 'b', name: 'survey', messages: 3 }

test('the preselected source can be chosen before the list is loaded, and while it is from before that source', () => {
  expect(offeredSources(undefined, tickets)).toEqual([tickets])
  expect(offeredSources([], tickets)).toEqual([tickets])
  expect(offeredSources([survey], tickets)).toEqual([tickets, survey])
})

test('it is offered once, as it was loaded', () => {
  expect(offeredSources([survey, { ...tickets, messages: 12 }], tickets)).toEqual([
    survey,
    { ...tickets, messages: 12 },
  ])
  expect(offeredSources([survey], null)).toEqual([survey])
  expect(offeredSources(undefined, null)).toEqual([])
})
