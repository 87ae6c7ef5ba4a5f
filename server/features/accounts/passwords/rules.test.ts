import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { contextWords } from './context-words.ts'
import { passwordFault, refusePassword } from './rules.ts'

describe('a new password', () => {
  it.each(['password', 'PASSWORD1', '12345678', 'iloveyou', 'qwertyuiop'])(
    'is not one that many people have: %s',
    (text) => {
      expect(passwordFault(text)?.reason).toBe('pwned')
    },
  )

  it.each([
    'Groundswell1',
    'groundswell-2026!',
    'CustomerFeedback',
    '42admin.groundswell',
    'welcome_to_groundswell'.replace('_to', ''),
  ])('is not made of the words of this product: %s', (text) => {
    expect(passwordFault(text)?.reason).toBe('pwned')
  })

  it.each([
    'correct horse',
    'ääääöööö',
    '8 blanks',
    'groundswell of opinion',
    'aaaabbbbcccc',
    ' leading and trailing ',
  ])('may be made of anything else: %s', (text) => {
    expect(passwordFault(text)).toBeNull()
  })

  it.each([
    ['ann@example.com', 'xann@example.comx'],
    ['Rosalind@Example.com', 'ROSALIND@example.COM'],
    ['rosalind@example.com', 'my-Rosalind-2026'],
    ['rosalind.f+feedback@example.com', 'rosalind.f+feedback!'],
    ['bob@example.com', 'bob12345'],
    ['b.o.b@example.com', '1b2o3b45'],
  ])('does not hold the account’s own e-mail address %s: %s', (email, text) => {
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
  ])('may hold what is no sign of the account %s: %s', (email, text) => {
    expect(passwordFault(text, email)).toBeNull()
  })

  it('has its forbidden words named in the document', async () => {
    const document = await readFile(new URL('../../../../docs/security.md', import.meta.url), 'utf8')
    for (const word of contextWords) expect(document).toContain(`\`${word}\``)
  })
})
