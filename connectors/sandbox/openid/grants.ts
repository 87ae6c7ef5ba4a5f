import { AuthorizationCodes, returnAddress } from '../grants.ts'
import type { OpenIdPerson } from './people.ts'

export type Grant = {
  person: OpenIdPerson
  nonce: string | null
  /** Requested with access_type=offline: it returns a refresh token. */
  isOffline: boolean
}

type App = { clientId: string; clientSecret: string }

type Grants = {
  /** Why a request to sign in cannot be shown, or null. */
  problem(values: URLSearchParams): string | null
  /** Where the browser is redirected with the choice; null means the person declined. */
  decide(values: URLSearchParams, person: OpenIdPerson | null): string
  /** A code is valid once, for the app, the address and the verifier that it was made for. An error is OAuth's own code. */
  exchange(values: URLSearchParams, authorization: string | undefined): Grant | { error: string }
}

/** The authorization code grant with S256 challenges, as in OpenID Connect. */
export function createGrants({ clientId, clientSecret }: App): Grants {
  const codes = new AuthorizationCodes<Grant>()
  return {
    problem(values) {
      if (values.get('client_id') !== clientId) return 'The client ID is unknown.'
      if (!URL.canParse(values.get('redirect_uri') ?? '')) return 'The address to return to cannot be used.'
      if (values.get('response_type') !== 'code') return 'Only response_type=code is supported.'
      if (!(values.get('scope') ?? '').split(' ').includes('openid')) return 'The scope openid is missing.'
      const method = values.get('code_challenge_method')
      return values.has('code_challenge') && method !== 'S256' ? 'Only S256 challenges are supported.' : null
    },
    decide(values, person) {
      if (person === null) return returnAddress(values, { error: 'access_denied' })
      const grant = { person, nonce: values.get('nonce'), isOffline: values.get('access_type') === 'offline' }
      return returnAddress(values, { code: codes.issue(values, grant) })
    },
    exchange(values, authorization) {
      const basic = /^Basic (.+)$/.exec(authorization ?? '')?.[1]
      const [id, secret] = basic
        ? Buffer.from(basic, 'base64').toString().split(':').map(decodeURIComponent)
        : [values.get('client_id'), values.get('client_secret')]
      if (id !== clientId || secret !== clientSecret) return { error: 'invalid_client' }
      if (values.get('grant_type') !== 'authorization_code') return { error: 'unsupported_grant_type' }
      return codes.redeem(values) ?? { error: 'invalid_grant' }
    },
  }
}
