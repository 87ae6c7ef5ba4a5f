import { dictionary } from '@zxcvbn-ts/language-common'

const MAX_COUNT = 10_000

const common: ReadonlySet<string> = new Set(dictionary['passwords-common'].slice(0, MAX_COUNT))

/**
 * True for one of the 10,000 most common passwords, ignoring case. They are the first entries of the list in zxcvbn-ts (MIT),
 * which is ordered by how often each occurs in leaked collections.
 */
export function isCommon(password: string): boolean {
  return common.has(password.toLowerCase())
}
