import { createHash, randomBytes } from 'node:crypto'
import { notFound, ok, type Reply } from './endpoints.ts'

type App = { clientId: string; clientSecret: string }
type Code = { redirect: string; challenge: string | null; scope: string }
type Token = { id: number; access: string; refresh: string; scopes: string[]; ends: number; refreshEnds: number }
type Holder = { scopes: readonly string[] | null; token: string | null }

export type SignIns = {
  /** Why a request to sign in cannot be shown, or null. */
  problem(values: URLSearchParams): string | null
  /** Where the browser goes after the decision. */
  decide(values: URLSearchParams): string | null
  /** `POST /oauth/tokens`. */
  grant(body: Record<string, unknown>): Reply
  /** Who a request is from; null for nobody. Scopes are null for an API token, which may do everything. */
  holder(authorization: string | undefined): Holder | null
  list(): Reply
  remove(id: string): Reply
  revokeAll(): void
  /** The next tokens get these scopes only. */
  narrow(scopes: string | null): void
}

const refuse = (error: string): Reply => ({
  status: error === 'invalid_client' ? 401 : 400,
  body: { error, error_description: 'The request was refused' },
})

const DAY_SECONDS = 86_400

/** OAuth like Zendesk's, with rotating refresh tokens, and one API token. */
export function createSignIns(
  { clientId, clientSecret }: App,
  pasted: { email: string; apiToken: string },
  clock: { now: () => number; lifetime: number },
): SignIns {
  const codes = new Map<string, Code>()
  const tokens = new Map<number, Token>()
  let made = 0
  let over = false
  let narrowed: string | null = null
  const problem = (values: URLSearchParams): string | null => {
    const redirect = values.get('redirect_uri') ?? ''
    if (values.get('client_id') !== clientId) return 'The unique identifier is not that of an OAuth client.'
    if (values.get('response_type') !== 'code') return 'The kind of response is not supported.'
    if (!URL.canParse(redirect) || !/^https?:/.test(redirect)) return 'The address to return to cannot be used.'
    return values.get('scope') ? null : 'No permissions were requested.'
  }
  const issue = (scope: string): Reply => {
    made += 1
    const [access, refresh] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')]
    const ends = clock.now() + clock.lifetime * 1000
    const refreshEnds = clock.now() + 30 * DAY_SECONDS * 1000
    tokens.set(made, { id: made, access, refresh, scopes: scope.split(' '), ends, refreshEnds })
    return ok({
      access_token: access,
      refresh_token: refresh,
      token_type: 'bearer',
      scope,
      expires_in: clock.lifetime,
      refresh_token_expires_in: 30 * DAY_SECONDS,
    })
  }
  const exchange = (body: Record<string, unknown>): Reply => {
    const code = codes.get(String(body.code))
    codes.delete(String(body.code))
    if (!code || body.redirect_uri !== code.redirect) return refuse('invalid_grant')
    const proof = createHash('sha256')
      .update(typeof body.code_verifier === 'string' ? body.code_verifier : '')
      .digest('base64url')
    if (code.challenge !== null && proof !== code.challenge) return refuse('invalid_grant')
    return issue(narrowed ?? code.scope)
  }
  return {
    problem,
    decide(values) {
      if (problem(values) !== null) return null
      const redirect = new URL(values.get('redirect_uri') ?? '')
      redirect.searchParams.set('state', values.get('state') ?? '')
      if (values.get('decision') === 'allow') {
        const code = randomBytes(16).toString('hex')
        const [scope, challenge] = [values.get('scope') ?? '', values.get('code_challenge')]
        codes.set(code, { redirect: values.get('redirect_uri') ?? '', challenge: challenge || null, scope })
        redirect.searchParams.set('code', code)
      } else {
        redirect.searchParams.set('error', 'access_denied')
      }
      return redirect.href
    },
    grant(body) {
      if (body.client_id !== clientId || body.client_secret !== clientSecret) return refuse('invalid_client')
      if (body.grant_type === 'authorization_code') return exchange(body)
      if (body.grant_type !== 'refresh_token') return refuse('unsupported_grant_type')
      const old = [...tokens.values()].find(({ refresh }) => refresh === body.refresh_token)
      if (!old || old.refreshEnds <= clock.now()) return refuse('invalid_grant')
      // The old pair ends at once, the access token too.
      tokens.delete(old.id)
      return issue(old.scopes.join(' '))
    },
    holder(authorization = '') {
      const basic = /^Basic (.+)$/.exec(authorization)?.[1]
      if (basic !== undefined) {
        const good = Buffer.from(basic, 'base64').toString() === `${pasted.email}/token:${pasted.apiToken}`
        return good && !over ? { scopes: null, token: null } : null
      }
      const access = /^Bearer (\S+)$/.exec(authorization)?.[1]
      const token = [...tokens.values()].find((one) => one.access === access)
      return token && token.ends > clock.now() ? { scopes: token.scopes, token: token.access } : null
    },
    list: () =>
      ok({
        tokens: [...tokens.values()].map(({ id, access, scopes, ends }) => ({
          id,
          client_id: 223_443,
          user_id: 20_978_392,
          token: access.slice(0, 10),
          scopes,
          expires_at: new Date(ends).toISOString(),
        })),
      }),
    remove: (id) => (tokens.delete(Number(id)) ? { status: 204, body: null } : notFound()),
    revokeAll() {
      tokens.clear()
      over = true
    },
    narrow(scopes) {
      narrowed = scopes
    },
  }
}
