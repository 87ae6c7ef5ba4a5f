import { ContractError } from '@groundswell/contract/errors.ts'
import { isCommon } from './common-passwords.ts'
import { consistsOfContextWords } from './context-words.ts'
import { containsAddress } from './own-address.ts'

/** Characters, not bytes: four accented letters are as easy to guess as four plain ones. */
const MIN_LENGTH = 8
/** The longest password in bytes of UTF-8. */
export const MAX_BYTES = 72

/** Why a new password is refused. `length` and `pwned` are Supabase Auth's codes. */
export type PasswordFault = { reason: 'length' | 'pwned'; message: string }

/**
 * Why a new password is refused for the account with these e-mail addresses; null when it is accepted. There are no rules
 * about kinds of characters.
 */
export function passwordFault(password: string, ...emails: readonly string[]): PasswordFault | null {
  const bytes = Buffer.byteLength(password)
  if (Array.from(password).length < MIN_LENGTH) {
    return { reason: 'length', message: `Password should be at least ${MIN_LENGTH} characters` }
  }
  if (bytes > MAX_BYTES) return { reason: 'length', message: `A password has at most ${MAX_BYTES} bytes` }
  if (consistsOfContextWords(password)) {
    return { reason: 'pwned', message: 'Words of this product are guessed first: choose another password' }
  }
  if (emails.some((email) => containsAddress(password, email))) {
    return { reason: 'pwned', message: 'Your own e-mail address is guessed first: choose another password' }
  }
  return isCommon(password) ? { reason: 'pwned', message: 'Too many people have this password: choose another' } : null
}

/** Throws `invalid_input` for a bad new password. */
export function refusePassword(password: string, email: string): void {
  const fault = passwordFault(password, email)
  if (fault) throw new ContractError('invalid_input', fault.message, { password: fault.message })
}
