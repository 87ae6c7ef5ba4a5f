import { randomBytes } from 'node:crypto'
import { type ConsentPage, scopeWords } from '../consent.ts'
import { AuthorizationCodes, bearerOf, canReturn, fieldsOf } from '../grants.ts'
import { SUBDOMAIN } from './account.ts'
import { notFound, ok, type Reply } from './endpoints.ts'

type App = { clientId: string; clientSecret: string }
type Token = { id: number; access: string; refresh: string; scopes: string[]; ends: number; refreshEnds: number }
type Holder = { scopes: readonly string[] | null; token: string | null }

export type SignIns = ConsentPage & {
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
const MEANING = { read: 'Read tickets, comments and people', 'webhooks:write': 'Create and remove webhooks' }

/** OAuth like Zendesk's, with rotating refresh tokens, and one API token. */
export function createSignIns(
  { clientId, clientSecret }: App,
  pasted: { email: string; apiToken: string },
  clock: { now: () => number; lifetime: number },
): SignIns {
  /** Each with its scopes. */
  const codes = new AuthorizationCodes<string>()
  const tokens = new Map<number, Token>()
  let made = 0
  let over = false
  let narrowed: string | null = null
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
  return {
    problem(values) {
      if (values.get('client_id') !== clientId) return 'The unique identifier is not that of an OAuth client.'
      if (values.get('response_type') !== 'code') return 'The kind of response is not supported.'
      if (!canReturn(values)) return 'The address to return to cannot be used.'
      return values.get('scope') ? null : 'No permissions were requested.'
    },
    words: (values) => ({
      title: 'Groundswell wants to read your Zendesk',
      about: `Zendesk on this machine, with the made-up account ${SUBDOMAIN}.`,
      permissions: scopeWords(values, MEANING),
      action: '/oauth/authorizations/new',
      cancel: 'Deny',
    }),
    decide: (values) => codes.decide(values, values.get('scope') ?? ''),
    grant(body) {
      if (body.client_id !== clientId || body.client_secret !== clientSecret) return refuse('invalid_client')
      if (body.grant_type === 'authorization_code') {
        const scope = codes.redeem(fieldsOf(body))
        return scope === null ? refuse('invalid_grant') : issue(narrowed ?? scope)
      }
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
      const access = bearerOf(authorization)
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
