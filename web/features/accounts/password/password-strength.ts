import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs } from '@zxcvbn-ts/language-common'
import { commonPasswords } from './common-passwords.ts'

/**
 * How easily a password is guessed: from 0 (immediately) to 4 (not in a lifetime), as a word, and its main weakness, if there
 * is one.
 */
export type PasswordStrength = { score: 0 | 1 | 2 | 3 | 4; word: string; reason: string | null }

const WORDS = ['Weak', 'Weak', 'Fair', 'Good', 'Strong'] as const

/** zxcvbn's warnings, by its own keys. */
const REASONS: Record<string, string> = {
  straightRow: 'Rows of keys are easy to guess.',
  keyPattern: 'Patterns on the keyboard are easy to guess.',
  simpleRepeat: 'Repeated characters are easy to guess.',
  extendedRepeat: 'Repeated parts are easy to guess.',
  sequences: 'Sequences such as abc or 123 are easy to guess.',
  recentYears: 'Years are easy to guess.',
  dates: 'Dates are easy to guess.',
  topTen: 'This is a common password.',
  topHundred: 'This is a common password.',
  common: 'This is a common password.',
  similarToCommon: 'This is similar to a common password.',
  userInputs: 'It contains your name or email.',
}

const MAX_LENGTH = 72

let estimator: ZxcvbnFactory | undefined

/** Rates a password; `own`: the person's own words, such as the email address, which are guessed first. */
export function passwordStrength(password: string, own: readonly string[]): PasswordStrength {
  estimator ??= new ZxcvbnFactory({ dictionary: { passwords: commonPasswords }, graphs: adjacencyGraphs })
  const words = own.flatMap((text) => [text, ...text.split(/[^\p{L}\d]+/u)]).filter((word) => word.length > 2)
  const { score, feedback } = estimator.check(password.slice(0, MAX_LENGTH), [...words, 'groundswell'])
  const reason = feedback.warning === null ? null : (REASONS[feedback.warning] ?? null)
  return { score, word: WORDS[score], reason }
}
