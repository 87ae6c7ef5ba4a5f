/** Words of the product and its screens, which attackers guess first. docs/security.md lists them. */
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

/** True for a password whose letters consist only of such words, ignoring digits and punctuation. */
export function consistsOfContextWords(password: string): boolean {
  return MADE_OF_THEM.test(password.toLowerCase().replaceAll(/[^\p{L}]/gu, ''))
}
