import { expect, it } from 'vitest'
import { nameKey, organisationOf } from './identify.ts'

it('a customer is named and recognised without control characters', () => {
  expect(organisationOf({ author: null, attributes: { company: 'One\u0007 \u202eTwo' } })).toBe('One Two')
  expect(organisationOf({ author: null, attributes: { company: '\u0007' } })).toBeNull()
  expect(nameKey('One\u0007 Two')).toBe(nameKey('One Two'))
})
