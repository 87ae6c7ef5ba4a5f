import { createHash, randomBytes } from 'node:crypto'
import type { OpenIdPerson } from './people.ts'

export type Grant = {
  person: OpenIdPerson
  redirectUri: string
  challenge: string | null
  nonce: string | null
  /** Requested with access_type=offline: it returns a refresh token. */
  isOffline: boolean
}

type App = { clientId: string; clientSecret: string }

export type Grants = {
  /** Why a request to sign in cannot be shown, or null. */
  problem(values: URLSearchParams): string | null
  /** Where the browser is redirected with the choice; null means the person declined. */
  decide(values: URLSearchParams, person: OpenIdPerson | null): string
  /** A code is valid once, for the app, the address and the verifier that it was made for. An error is OAuth's own code. */
  exchange(values: URLSearchParams, authorization: string | undefined): Grant | { error: string }
}

/** The authorization code grant with S256 challenges, as in OpenID Connect. */
export function createGrants({ clientId, clientSecret }: App): Grants {
  const codes = new Map<string, Grant>()
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
      const redirectUri = values.get('redirect_uri') ?? ''
      const redirect = new URL(redirectUri)
      if (values.has('state')) redirect.searchParams.set('state', values.get('state') ?? '')
      if (person === null) {
        redirect.searchParams.set('error', 'access_denied')
        return redirect.href
      }
      const code = randomBytes(16).toString('hex')
      const [challenge, nonce] = [values.get('code_challenge'), values.get('nonce')]
      codes.set(code, { person, redirectUri, challenge, nonce, isOffline: values.get('access_type') === 'offline' })
      redirect.searchParams.set('code', code)
      return redirect.href
    },
    exchange(values, authorization) {
      const basic = /^Basic (.+)$/.exec(authorization ?? '')?.[1]
      const [id, secret] = basic
        ? Buffer.from(basic, 'base64').toString().split(':').map(decodeURIComponent)
        : [values.get('client_id'), values.get('client_secret')]
      if (id !== clientId || secret !== clientSecret) return { error: 'invalid_client' }
      if (values.get('grant_type') !== 'authorization_code') return { error: 'unsupported_grant_type' }
      const grant = codes.get(values.get('code') ?? '')
      codes.delete(values.get('code') ?? '')
      if (!grant || grant.redirectUri !== values.get('redirect_uri')) return { error: 'invalid_grant' }
      const verifier = values.get('code_verifier') ?? ''
      const challenge = createHash('sha256').update(verifier).digest('base64url')
      return grant.challenge !== null && grant.challenge !== challenge ? { error: 'invalid_grant' } : grant
    },
  }
}
