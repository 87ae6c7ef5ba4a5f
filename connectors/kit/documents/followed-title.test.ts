import { expect, test } from 'vitest'
import { documentFor } from '../testing.ts'
import { followedTitle } from './followed-title.ts'

const named = (title: string) => documentFor('marker', { title })
const following = (current: string, title: string, titles?: readonly string[], maxLength?: number) =>
  followedTitle(current, { document: named(title), ...(titles ? { titles } : {}) }, maxLength)

test('a title that we gave follows the name of the insight', () => {
  expect(following('Keys remap', 'Shortcuts cannot be changed', ['Keys remap'])).toBe('Shortcuts cannot be changed')
})

test('a title that somebody wrote stays', () => {
  expect(following('Keys: remap them', 'Shortcuts cannot be changed', ['Keys remap'])).toBeUndefined()
})

test('a title that a lost reply left there is ours', () => {
  expect(following('Second name', 'Third name', ['First name', 'Second name'])).toBe('Third name')
})

test('a title that is as wanted is not written again', () => {
  expect(following('Second  name ', 'Second name', ['First name', 'Second name'])).toBeUndefined()
})

test('where it is not known what we wrote, the title stays', () => {
  expect(following('First name', 'Second name')).toBeUndefined()
})

test('a title that was cut for the provider is recognized', () => {
  const long = 'a long name '.repeat(40)
  const cut = `${'a long name '.repeat(40).slice(0, 99).trimEnd()}…`
  expect(following(cut, 'Short name', [long], 100)).toBe('Short name')
})
