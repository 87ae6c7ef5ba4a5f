import { expect, test } from 'vitest'
import { withoutNames } from './without-names.ts'

test.each([
  ['Write to ann.lee+x@mail.example.com.', [], 'Write to [e-mail].'],
  ['<a@b.co>, "c@d.org"', [], '<[e-mail]>, "[e-mail]"'],
  ['I, Jane Doe, and JANE agree with doe', ['Jane Doe'], 'I, [name], and [name] agree with [name]'],
  ['Joanne and Jo', ['Jo'], 'Joanne and [name]'],
  ['@max says (max) hi', ['@max'], '@[name] says ([name]) hi'],
  ['Zoë and Zoe', ['Zoë'], '[name] and Zoe'],
  ['c++ ( really', ['c++ ('], '[name] really'],
  ['de la means of the', ['Maria de la Cruz'], 'de la means of the'],
  ['A fails', ['A'], 'A fails'],
  ['nobody', [null], 'nobody'],
  ['Jane the name', ['Jane Name'], '[name] the [name]'],
  ['a@b a@.b @a.b a@b. a@b.c', [], 'a@b a@.b @a.b a@b. [e-mail]'],
  ['mail a@b@c.de!? or a.b@c', [], 'mail [e-mail]!? or a.b@c'],
])('%s without %j', (text, names, expected) => {
  expect(withoutNames(text, names)).toBe(expected)
})

test.each(['@', 'a@', 'a@b', '.', 'a.', '@a.', 'a'])(
  'a message that repeats %j does not hold up the server',
  (part) => {
    const text = part.repeat(5_000)
    expect(withoutNames(`${text} by ann@b.co`)).toMatch(/ by \[e-mail\]$/)
  },
)
