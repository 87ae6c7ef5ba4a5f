import { expect, it } from 'vitest'
import { cleanName } from './clean.ts'

it.each([
  ['One\u0007Two', 'OneTwo'],
  ['One\r\n\u0085Two', 'One Two'],
  ['\u202eOne\u2028', 'One'],
  ['\u001b', null],
  ['', ''],
  [null, null],
])('the name %j of an author or a place is stored as %j', (name, stored) => {
  expect(cleanName(name)).toBe(stored)
})
