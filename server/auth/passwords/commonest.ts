import { dictionary } from '@zxcvbn-ts/language-common'

const MAX_COUNT = 10_000

const common: ReadonlySet<string> = new Set(dictionary['passwords-common'].slice(0, MAX_COUNT))

/**
 * True for one of the 10,000 commonest passwords, whatever the case of its letters. They are the first ones of the list
 * that zxcvbn-ts ships (MIT), which is in the order of how often each was seen in leaked collections.
 */
export function isCommon(password: string): boolean {
  return common.has(password.toLowerCase())
}
