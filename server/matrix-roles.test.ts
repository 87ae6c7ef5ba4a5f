import type { Route } from '@groundswell/contract/route.ts'
import { routes } from '@groundswell/contract/routes.ts'
import { expect, it } from 'vitest'
import { mayCall, OPEN_TO_KEYS, OPEN_TO_VIEWERS, READS_OF_MEMBERS } from './matrix-roles.ts'

const namesOf = (given: readonly Route[]) => given.map(({ name }) => name).sort()

it('every call needs a member where it changes something, and a viewer where it reads', () => {
  const changing = routes.filter(({ method, access }) => method !== 'GET' && access !== 'public')
  expect(namesOf(changing.filter((route) => mayCall('viewer', route)))).toEqual(OPEN_TO_VIEWERS.toSorted())
  const reading = routes.filter(({ method, access }) => method === 'GET' && access !== 'admin')
  expect(namesOf(reading.filter((route) => !mayCall('viewer', route)))).toEqual(READS_OF_MEMBERS.toSorted())
})

it('API keys may make the calls that are listed for their scope', () => {
  for (const [scope, names] of Object.entries(OPEN_TO_KEYS)) {
    expect(namesOf(routes.filter((route) => route.scope === scope))).toEqual(names.toSorted())
  }
})
