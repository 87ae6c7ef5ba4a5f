import { createHash, randomUUID } from 'node:crypto'

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
  const codes = new Map<string, { redirect: string; challenge: string }>()
  /** Access tokens by refresh token. */
  const pairs = new Map<string, string>()
  const token = `helpdesk-token-${randomUUID()}`
  let over = false
  const issue = (): Reply => {
    const [access_token, refresh_token] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`]
    pairs.set(refresh_token, access_token)
    return { status: 200, body: { access_token, refresh_token, expires_in: LIFETIME_SECONDS } }
  }
  const exchange = (form: URLSearchParams): Reply => {
    const code = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const good = code?.redirect === form.get('redirect_uri') && code?.challenge === proof
    return good ? issue() : refuse('invalid_grant')
  }
  return {
    token,
    allow(query) {
      const redirect = query.get('redirect_uri') ?? ''
      const challenge = query.get('code_challenge')
      const code = randomUUID()
      if (query.get('client_id') !== clientId || !URL.canParse(redirect) || !challenge) return null
      codes.set(code, { redirect, challenge })
      return `${redirect}?${new URLSearchParams({ code, state: query.get('state') ?? '' }).toString()}`
    },
    grant(form) {
      const known = form.get('client_id') === clientId && form.get('client_secret') === clientSecret
      if (!known) return { status: 401, body: { error: 'invalid_client' } }
      if (form.get('grant_type') === 'authorization_code') return exchange(form)
      return pairs.delete(form.get('refresh_token') ?? '') ? issue() : refuse('invalid_grant')
    },
    revoke(form) {
      pairs.delete(form.get('token') ?? '')
      return { status: 200, body: {} }
    },
    holds(authorization = '') {
      const given = authorization.replace(/^Bearer /, '')
      return !over && (given === token || [...pairs.values()].includes(given))
    },
    revokeAll() {
      over = true
      pairs.clear()
    },
  }
}
