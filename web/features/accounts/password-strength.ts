import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs } from '@zxcvbn-ts/language-common'
import { commonPasswords } from './common-passwords.ts'

/** How soon a password would be guessed: 0 (at once) to 4 (not in a lifetime), in a word, and what makes it so weak, if one thing does. */
export type PasswordStrength = { score: 0 | 1 | 2 | 3 | 4; word: string; reason: string | null }

const WORDS = ['Weak', 'Weak', 'Fair', 'Good', 'Strong'] as const

/** What zxcvbn warns of, by its own keys. */
const REASONS: Record<string, string> = {
  straightRow: 'Rows of keys are guessed early.',
  keyPattern: 'Patterns on the keyboard are guessed early.',
  simpleRepeat: 'Repeated characters are guessed early.',
  extendedRepeat: 'Repeated parts are guessed early.',
  sequences: 'Sequences such as abc or 123 are guessed early.',
  recentYears: 'Years are guessed early.',
  dates: 'Dates are guessed early.',
  topTen: 'Many people have this password.',
  topHundred: 'Many people have this password.',
  common: 'Many people have this password.',
  similarToCommon: 'It is close to a password that many people have.',
  userInputs: 'It holds your name or your email.',
}

const LONGEST = 72

let estimator: ZxcvbnFactory | undefined

/** Estimates a password; `own` are the person's own words, such as the e-mail address, which are guessed first. */
export function passwordStrength(password: string, own: readonly string[]): PasswordStrength {
  estimator ??= new ZxcvbnFactory({ dictionary: { passwords: commonPasswords }, graphs: adjacencyGraphs })
  const words = own.flatMap((text) => [text, ...text.split(/[^\p{L}\d]+/u)]).filter((word) => word.length > 2)
  const { score, feedback } = estimator.check(password.slice(0, LONGEST), [...words, 'groundswell'])
  const reason = feedback.warning === null ? null : (REASONS[feedback.warning] ?? null)
  return { score, word: WORDS[score], reason }
}
