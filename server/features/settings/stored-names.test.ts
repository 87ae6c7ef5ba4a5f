import { expect, it } from 'vitest'
import { settingsOf } from './stored-settings.ts'

it('a stored tag whose name has control characters is read without them', () => {
  const description = 'What they say about exports, in all of their words'
  const stored = { categories: [{ name: 'One\u0007\nTwo', description }] }
  expect(settingsOf(stored).categories).toEqual([{ name: 'One Two', description }])
})
