import { dictionary } from '@zxcvbn-ts/language-common'
import { describe, expect, it } from 'vitest'
import { commonPasswords } from './common-passwords.ts'
import { passwordStrength } from './password-strength.ts'

describe('the strength of a password', () => {
  it.each([
    ['password', 0, 'common password'],
    ['P@ssw0rd!', 1, 'similar to a common password'],
    ['qwertyuiop', 1, 'common password'],
    ['aaaaaaaaaaa', 1, 'Repeated'],
    ['zxcvbnm,./', 2, 'keyboard|keys'],
    ['abcdefghijk', 1, 'Sequences'],
    ['19.05.1987', 2, 'Dates'],
    ['Rosalind1', 1, 'your name or email'],
  ])('%s is at most %i, with the reason', (password, most, reason) => {
    const rated = passwordStrength(password, ['rosalind.franklin@example.com', 'Rosalind Franklin'])
    expect(rated.score).toBeLessThanOrEqual(most)
    expect(rated.reason).toMatch(new RegExp(reason))
  })

  it.each(['seven small lanterns by the quiet river', 'vK9#tr2Lq!xW8', 'äpfel-über-gärten-möwen'])(
    '%s is strong',
    (password) => {
      expect(passwordStrength(password, [])).toMatchObject({ score: 4, word: 'Strong', reason: null })
    },
  )

  it('costs no more for a very long text, which is refused anyway', () => {
    expect(passwordStrength('lantern '.repeat(10_000), [])).toEqual(passwordStrength('lantern '.repeat(9), []))
  })

  it('knows the beginning of the list that the server refuses from', () => {
    const plain = (word: string) => word.length >= 4 && /^[\x21-\x7e]+$/.test(word) && !/[`\\${]/.test(word)
    expect(commonPasswords).toEqual(dictionary['passwords-common'].filter(plain).slice(0, 1_500))
  })
})
