import { routes } from '@groundswell/contract/routes.ts'
import { expect, it } from 'vitest'
import { mayCall, OPEN_TO_VIEWERS, READS_OF_MEMBERS } from './matrix-roles.ts'

it('every call needs a member where it changes something, and a viewer where it reads', () => {
  const changing = routes.filter(({ method, access }) => method !== 'GET' && access !== 'public')
  expect(changing.filter((route) => mayCall('viewer', route)).map(({ name }) => name)).toEqual(OPEN_TO_VIEWERS)
  const reading = routes.filter(({ method, access }) => method === 'GET' && access !== 'admin')
  expect(reading.filter((route) => !mayCall('viewer', route)).map(({ name }) => name)).toEqual(READS_OF_MEMBERS)
})
