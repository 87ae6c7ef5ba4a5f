import { randomBytes } from 'node:crypto'
import type { ConsentPage } from '../consent.ts'
import { AuthorizationCodes, bearerOf } from '../grants.ts'
import { ok, type Reply } from './reply.ts'

type App = { clientId: string; clientSecret: string }

export const CONSENT_PATH = '/authentication/authorizeClientApplication'

/** The browser always goes to the redirection URL of the app after the decision. */
export type SignIns = ConsentPage & {
  /** `POST /v2/oauth2/token`. */
  grant(form: URLSearchParams): Reply
  isValid(authorization: string | undefined): boolean
  /** Ends all tokens, and the app. */
  revokeAll(): void
  /** Ends access tokens only, as after two days. */
  expireAll(): void
}

const refuse = (error: string): Reply => ({
  status: error === 'invalid_client' ? 401 : 400,
  body: { error, error_description: 'The request was refused' },
})

/** OAuth like Help Scout's: client credentials without a refresh token, and authorization codes with one that rotates. */
export function createSignIns(
  { clientId, clientSecret }: App,
  redirectUrl: () => string,
  clock: { now: () => number; lifetime: number },
): SignIns {
  const codes = new AuthorizationCodes<true>()
  const refreshTokens = new Set<string>()
  const accessTokens = new Map<string, number>()
  let over = false
  const issue = (withRefresh: boolean): Reply => {
    const access_token = randomBytes(24).toString('hex')
    accessTokens.set(access_token, clock.now() + clock.lifetime * 1000)
    const refresh_token = randomBytes(24).toString('hex')
    if (withRefresh) refreshTokens.add(refresh_token)
    const token = { token_type: 'bearer', access_token, expires_in: clock.lifetime }
    return ok(withRefresh ? { ...token, refresh_token } : token)
  }
  return {
    problem(values) {
      if (values.get('client_id') !== clientId) return 'The App ID is not that of an app.'
      return URL.canParse(redirectUrl()) ? null : 'The app has no redirection URL.'
    },
    words: () => ({
      title: 'Groundswell wants to use your Help Scout account',
      about: 'Help Scout on this machine, with a made-up account.',
      permissions: ['It may do what you may'],
      action: CONSENT_PATH,
      cancel: 'Deny',
      allow: 'Authorize',
    }),
    decide: (values) => codes.decide(values, true, redirectUrl()),
    grant(form) {
      const isApp = form.get('client_id') === clientId && form.get('client_secret') === clientSecret
      if (over || !isApp) return refuse('invalid_client')
      switch (form.get('grant_type') ?? '') {
        case 'client_credentials':
          return issue(false)
        case 'authorization_code':
          return codes.take(form.get('code')) ? issue(true) : refuse('invalid_grant')
        case 'refresh_token':
          return refreshTokens.delete(form.get('refresh_token') ?? '') ? issue(true) : refuse('invalid_grant')
        default:
          return refuse('unsupported_grant_type')
      }
    },
    isValid(authorization) {
      const ends = accessTokens.get(bearerOf(authorization))
      return ends !== undefined && ends > clock.now()
    },
    revokeAll() {
      accessTokens.clear()
      refreshTokens.clear()
      over = true
    },
    expireAll: () => accessTokens.clear(),
  }
}
