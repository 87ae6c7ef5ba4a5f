import { hasControls } from '@groundswell/contract/values/name.ts'
import { expect, it } from 'vitest'
import { domainOf, identify, nameKey, organisationOf } from './identify.ts'

it('a customer is named and recognised without control characters', () => {
  expect(organisationOf({ author: null, attributes: { company: 'One\u0007 \u202eTwo' } })).toBe('One Two')
  expect(organisationOf({ author: null, attributes: { company: '\u0007' } })).toBeNull()
  expect(nameKey('One\u0007 Two')).toBe(nameKey('One Two'))
})

const known = { own: new Set<string>(), listed: new Set<string>(), keys: new Map<string, string>() }
it.each(['\u0007', '\n', '\u001b', '\u0085', '\u2028', '\u202e'])(
  'the key of a customer has no control characters: %j',
  (control) => {
    const named = identify({ author: null, attributes: { company: `One${control} Two${control}` } }, known)
    expect(named).toEqual({ key: 'name:one two', name: 'One Two' })
    const [listed, domain] = [`One${control} Two`, `ac${control}me.com`].map((text) => ({
      name: nameKey(text),
      domain: domainOf(text),
    }))
    expect(listed).toEqual({ name: 'one two', domain: null })
    expect(hasControls(domain?.domain ?? '')).toBe(false)
    const mailed = identify({ author: `Ann <ann@ac${control}me.com>`, attributes: {} }, known)
    expect(hasControls(mailed?.key ?? '')).toBe(false)
  },
)
