import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { contextWords } from './context-words.ts'
import { passwordFault } from './rules.ts'

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

  it('has its forbidden words named in the document', async () => {
    const document = await readFile(new URL('../../../../docs/security.md', import.meta.url), 'utf8')
    for (const word of contextWords) expect(document).toContain(`\`${word}\``)
  })
})
