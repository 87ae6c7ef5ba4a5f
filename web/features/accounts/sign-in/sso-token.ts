import { claimsOf } from '../person-of.ts'

/** Whether the session of a token was created through single sign-on. Such a session cannot change the account. */
export function isBySso(token: string | null): boolean {
  const { groundswell } = (token === null ? null : claimsOf(token)) ?? {}
  return (groundswell as { sso?: unknown } | undefined)?.sso === 'made'
}
