import { expect, test } from 'vitest'
import { personOf } from './person-of.ts'

const jwt = (payload: object) => `e30.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.c2ln`

test('two tokens of one person are distinguished from those of two', () => {
  const ann = { sub: 'ann', name: 'Ännchen ~~~???' }
  expect(personOf(jwt({ ...ann, exp: 1 }))).toBe(personOf(jwt({ ...ann, exp: 2 })))
  expect(personOf(jwt(ann))).not.toBe(personOf(jwt({ sub: 'bob' })))
})

test('an opaque token is its own identity', () => {
  expect(personOf('opaque')).toBe('opaque')
  expect(personOf('a.b.c')).toBe('a.b.c')
  expect(personOf(jwt({ none: 1 }))).toBe(jwt({ none: 1 }))
})
