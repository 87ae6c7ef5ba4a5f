import { randomBytes } from 'node:crypto'
import { type Answer, refuse } from './methods.ts'
import { BOT, TEAM } from './workspace.ts'

type App = { clientId: string; clientSecret: string }
/** How long issued tokens last, and for how long a refresh token stays good after its first use. */
export type Rotation = { seconds: number; graceMs: number }

export type SignIns = {
  /** Why a request to sign in cannot be shown, or null. */
  problem(values: URLSearchParams): string | null
  /** Where the browser goes after the decision; null for a request that cannot be shown. */
  decide(values: URLSearchParams): string | null
  /** `oauth.v2.access`: a code is valid once, for the app and the address that it was made for. */
  exchange(values: URLSearchParams, authorization: string | undefined): Answer
  isGood(token: string): boolean
  /** `auth.revoke`: with `test`, nothing is revoked. */
  revoke(token: string, values: URLSearchParams): Answer
  /** The token was valid once, and its time is over. */
  hasExpired(token: string): boolean
  revokeAll(): void
}

/**
 * OAuth v2 like Slack's. `botToken` is valid from the start, for pasting. With `rotation`, issued tokens end and come
 * with a refresh token that is good once, or for as long as the grace lasts after its first use.
 */
export function createSignIns(
  { clientId, clientSecret }: App,
  botToken: string,
  { rotation, now }: { rotation: () => Rotation | null; now: () => Date },
): SignIns {
  const codes = new Map<string, string>()
  /** When they end, in milliseconds. */
  const tokens = new Map([[botToken, Number.POSITIVE_INFINITY]])
  /** The time of their first use. */
  const refreshTokens = new Map<string, number | null>()
  const spend = (token: string): boolean => {
    const usedAt = refreshTokens.get(token)
    if (usedAt === undefined) return false
    if (usedAt === null) refreshTokens.set(token, now().getTime())
    return usedAt === null || now().getTime() - usedAt < (rotation()?.graceMs ?? 0)
  }
  const issue = () => {
    const random = randomBytes(12).toString('hex')
    const rotated = rotation()
    if (!rotated) {
      const token = `xoxb-sandbox-${random}`
      tokens.set(token, Number.POSITIVE_INFINITY)
      return { access_token: token }
    }
    const [token, refreshToken] = [`xoxe.xoxb-sandbox-${random}`, `xoxe-1-sandbox-${randomBytes(12).toString('hex')}`]
    tokens.set(token, now().getTime() + rotated.seconds * 1000)
    refreshTokens.set(refreshToken, null)
    return { access_token: token, refresh_token: refreshToken, expires_in: rotated.seconds }
  }
  const problem = (values: URLSearchParams): string | null => {
    const redirect = values.get('redirect_uri') ?? ''
    if (values.get('client_id') !== clientId) return 'The client ID is not that of an app of this workspace.'
    if (!URL.canParse(redirect) || !/^https?:/.test(redirect)) return 'The address to return to cannot be used.'
    return values.get('scope') ? null : 'No permissions were requested.'
  }
  return {
    problem,
    decide(values) {
      if (problem(values) !== null) return null
      const redirect = new URL(values.get('redirect_uri') ?? '')
      redirect.searchParams.set('state', values.get('state') ?? '')
      if (values.get('decision') === 'allow') {
        const code = randomBytes(16).toString('hex')
        codes.set(code, values.get('redirect_uri') ?? '')
        redirect.searchParams.set('code', code)
      } else {
        redirect.searchParams.set('error', 'access_denied')
      }
      return redirect.href
    },
    exchange(values, authorization) {
      const basic = /^Basic (.+)$/.exec(authorization ?? '')?.[1]
      const [id, secret] = basic
        ? Buffer.from(basic, 'base64').toString().split(':')
        : [values.get('client_id'), values.get('client_secret')]
      if (id !== clientId) return refuse('invalid_client_id')
      if (secret !== clientSecret) return refuse('bad_client_secret')
      if (values.get('grant_type') === 'refresh_token') {
        if (!spend(values.get('refresh_token') ?? '')) return refuse('invalid_refresh_token')
      } else {
        const code = values.get('code') ?? ''
        const redirect = codes.get(code)
        codes.delete(code)
        if (redirect === undefined) return refuse('invalid_code')
        if (values.get('redirect_uri') !== redirect) return refuse('bad_redirect_uri')
      }
      return {
        ok: true,
        ...issue(),
        token_type: 'bot',
        scope: 'channels:history,channels:read,groups:history,groups:read,users:read,team:read',
        bot_user_id: BOT.user,
        app_id: BOT.app,
        team: { name: TEAM.name, id: TEAM.id },
        enterprise: null,
        is_enterprise_install: false,
        authed_user: { id: 'U0TALLY0001' },
      }
    },
    isGood: (token) => (tokens.get(token) ?? 0) > now().getTime(),
    hasExpired: (token) => (tokens.get(token) ?? Number.POSITIVE_INFINITY) <= now().getTime(),
    revoke(token, values) {
      if (/^(1|true)$/.test(values.get('test') ?? '')) return { ok: true, revoked: false }
      return { ok: true, revoked: tokens.delete(token) }
    },
    revokeAll() {
      tokens.clear()
      refreshTokens.clear()
    },
  }
}
