import { randomUUID } from 'node:crypto'
import { AuthorizationCodes, bearerOf, returnAddress, TokenPairs } from '../grants.ts'

type App = { clientId: string; clientSecret: string }
export type Reply = { status: number; body: Record<string, unknown> }

/** OAuth with PKCE and rotating refresh tokens, and one API token. */
export type SignIns = {
  token: string
  /** Where a browser goes whose person allowed the request; null for a request that cannot be allowed. */
  allow(query: URLSearchParams): string | null
  /** `POST /oauth/token`. */
  grant(form: URLSearchParams): Reply
  /** `POST /oauth/revoke`. */
  revoke(form: URLSearchParams): Reply
  holds(authorization: string | undefined): boolean
  revokeAll(): void
}

const refuse = (error: string): Reply => ({ status: 400, body: { error } })
const LIFETIME_SECONDS = 3600

export function createSignIns({ clientId, clientSecret }: App): SignIns {
  const codes = new AuthorizationCodes<true>()
  const pairs = new TokenPairs<true>(LIFETIME_SECONDS, Date.now, (kind) => `${kind}-${randomUUID()}`)
  const token = `helpdesk-token-${randomUUID()}`
  let over = false
  const issueFor = (grant: true | null): Reply =>
    grant ? { status: 200, body: pairs.issue(grant) } : refuse('invalid_grant')
  return {
    token,
    allow(query) {
      const redirect = query.get('redirect_uri') ?? ''
      const challenge = query.get('code_challenge')
      if (query.get('client_id') !== clientId || !URL.canParse(redirect) || !challenge) return null
      return returnAddress(query, { code: codes.issue(query, true) })
    },
    grant(form) {
      const known = form.get('client_id') === clientId && form.get('client_secret') === clientSecret
      if (!known) return { status: 401, body: { error: 'invalid_client' } }
      const isCode = form.get('grant_type') === 'authorization_code'
      return issueFor(isCode ? codes.redeem(form) : pairs.spend(form.get('refresh_token')))
    },
    revoke(form) {
      pairs.end(form.get('token') ?? '')
      return { status: 200, body: {} }
    },
    holds: (authorization) => !over && (bearerOf(authorization) === token || pairs.holder(authorization) !== null),
    revokeAll() {
      over = true
      pairs.clear()
    },
  }
}
