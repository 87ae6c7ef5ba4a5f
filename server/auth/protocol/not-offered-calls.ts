import { type AuthCall, authCall } from './auth-call.ts'
import { AuthError } from './auth-error.ts'

/** Calls of the official client that this product does not offer, refused with the protocol's codes. */
export function notOfferedCalls(): AuthCall[] {
  const noSaml = async () => {
    throw new AuthError('saml_provider_disabled', 'SAML 2.0 is disabled')
  }
  const noLinking = async () => {
    throw new AuthError('manual_linking_disabled', 'Manual linking is disabled')
  }
  return [
    authCall({ method: 'POST', path: '/sso', access: 'public' }, noSaml),
    authCall({ method: 'GET', path: '/user/identities/authorize', access: 'person' }, noLinking),
    authCall({ method: 'DELETE', path: '/user/identities/:id', access: 'person' }, noLinking),
  ]
}
