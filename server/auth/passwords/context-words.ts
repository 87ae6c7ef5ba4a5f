/** Words of the product and of its screens, that are guessed first here. docs/security.md names them. */
export const contextWords = [
  'groundswell',
  'feedback',
  'insight',
  'insights',
  'customer',
  'customers',
  'workspace',
  'integration',
  'integrations',
  'admin',
  'administrator',
  'password',
  'welcome',
  'login',
] as const

const MADE_OF_THEM = new RegExp(`^(?:${[...contextWords].sort((one, other) => other.length - one.length).join('|')})+$`)

/** True for a password whose letters are nothing but such words, whatever digits and signs are put between them. */
export function consistsOfContextWords(password: string): boolean {
  return MADE_OF_THEM.test(password.toLowerCase().replaceAll(/[^\p{L}]/gu, ''))
}
