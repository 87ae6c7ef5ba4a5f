import { expect, test } from 'vitest'
import { withoutNames } from './redact.ts'

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
])('%s without %j', (text, names, expected) => {
  expect(withoutNames(text, names)).toBe(expected)
})
