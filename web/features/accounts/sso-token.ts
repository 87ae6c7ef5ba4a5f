import { claimsOf } from './person-of.ts'

/** Whether single sign-on made the session of a token. Such a session cannot change the account. */
export function isBySso(token: string | null): boolean {
  const { groundswell } = (token === null ? null : claimsOf(token)) ?? {}
  return (groundswell as { sso?: unknown } | undefined)?.sso === 'made'
}
