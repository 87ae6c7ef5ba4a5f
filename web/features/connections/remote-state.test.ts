import { expect, it } from 'vitest'
import { remoteCountsText, remoteStateText } from './remote-state.ts'

const item = { label: 'ENG-12', url: null }

it.each([
  ['open', null, 'Open'],
  ['open', 'In progress', 'Open: In progress'],
  ['closed', 'Done', 'Closed: Done'],
  ['closed', 'closed', 'Closed'],
  ['gone', 'Done', 'Gone'],
] as const)('an item that is %s with the word %j is “%s”', (state, state_name, text) => {
  expect(remoteStateText({ ...item, state, state_name })).toBe(text)
})

it('counts the states that have items', () => {
  expect(remoteCountsText({ open: 1200, closed: 2, gone: 0 })).toBe('1,200 open, 2 closed')
  expect(remoteCountsText({ open: 0, closed: 0, gone: 1 })).toBe('1 gone')
})
