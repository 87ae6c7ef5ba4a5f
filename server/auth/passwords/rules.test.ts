import { readFile } from 'node:fs/promises'
import { dictionary } from '@zxcvbn-ts/language-common'
import { describe, expect, it } from 'vitest'
import { proves } from '../../platform/proves.ts'
import { contextWords } from './context-words.ts'
import { passwordFault, refusePassword } from './rules.ts'

describe('a new password', () => {
  it.each(['password', 'PASSWORD1', '12345678', 'iloveyou', 'qwertyuiop'])(
    'is not one that many people have: %s',
    (text) => {
      expect(passwordFault(text)?.reason).toBe('pwned')
    },
  )

  it('is none of the 10,000 most common, ignoring case', () => {
    proves('6.2.4')
    const commonest = dictionary['passwords-common'].slice(0, 10_000)
    const longEnough = commonest.filter((word) => word.length >= 8)
    // docs/security.md says so.
    expect([commonest.length, longEnough.length]).toEqual([10_000, 3_534])
    const taken = longEnough.filter((word) => !passwordFault(word) || !passwordFault(word.toUpperCase()))
    expect(taken).toEqual([])
  })

  it.each([
    'Groundswell1',
    'groundswell-2026!',
    'CustomerFeedback',
    '42admin.groundswell',
    'welcome_to_groundswell'.replace('_to', ''),
  ])('does not consist of the words of this product: %s', (text) => {
    proves('6.2.11')
    expect(passwordFault(text)?.reason).toBe('pwned')
  })

  it.each([
    'correct horse',
    'ääääöööö',
    '8 blanks',
    'groundswell of opinion',
    'aaaabbbbcccc',
    ' leading and trailing ',
  ])('may consist of anything else: %s', (text) => {
    proves('6.2.5')
    expect(passwordFault(text)).toBeNull()
  })

  it.each([
    ['ann@example.com', 'xann@example.comx'],
    ['Rosalind@Example.com', 'ROSALIND@example.COM'],
    ['rosalind@example.com', 'my-Rosalind-2026'],
    ['rosalind.f+feedback@example.com', 'rosalind.f+feedback!'],
    ['bob@example.com', 'bob12345'],
    ['b.o.b@example.com', '1b2o3b45'],
  ])('does not contain the account’s own e-mail address %s: %s', (email, text) => {
    expect(passwordFault(text)).toBeNull()
    expect(passwordFault(text, email)?.reason).toBe('pwned')
    expect(passwordFault(text, 'somebody@example.com', email)?.reason).toBe('pwned')
    expect(() => refusePassword(text, email)).toThrow('e-mail address')
  })

  it.each([
    ['ann@example.com', 'planning a trip'],
    ['a@example.com', 'correct horse'],
    ['12@example.com', '12 drummers drumming'],
    ['rosalind@example.com', 'example.com is a domain'],
  ])('may contain what does not identify the account %s: %s', (email, text) => {
    expect(passwordFault(text, email)).toBeNull()
  })

  it('has its forbidden words named in the document', async () => {
    proves('6.1.2')
    const document = await readFile(new URL('../../../docs/security.md', import.meta.url), 'utf8')
    for (const word of contextWords) expect(document).toContain(`\`${word}\``)
  })
})
