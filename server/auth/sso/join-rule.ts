import { EMAIL_FORM, MAX_EMAIL_LENGTH } from '@groundswell/contract/accounts.ts'
import type { OpenIdPerson } from '../openid/provider.ts'
import { canonicalIssuer } from './configure.ts'
import type { ProviderRow } from './store.ts'

const GOOGLE = 'https://accounts.google.com/'

/** Why nobody with this person's e-mail address may join a workspace; null: they may. */
export function refusalOfAddress(
  { domains, issuer }: Pick<ProviderRow, 'domains' | 'issuer'>,
  { email, emailVerified, hostedDomain }: Pick<OpenIdPerson, 'email' | 'emailVerified' | 'hostedDomain'>,
): 'outside' | 'unverified' | null {
  if (email === null || email.length > MAX_EMAIL_LENGTH || !EMAIL_FORM.test(email)) return 'outside'
  const domain = email.slice(email.indexOf('@') + 1)
  if (!domains.includes(domain)) return 'outside'
  if (emailVerified === false) return 'unverified'
  // Anybody can have an account at Google with an address of the domain: only those of the organisation have `hd`.
  return canonicalIssuer(issuer) === GOOGLE && hostedDomain !== domain ? 'outside' : null
}
