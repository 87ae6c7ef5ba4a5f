import * as z from 'zod/mini'
import { withoutWorkspace } from '../../platform/db/tenant.ts'
import type { RequestFacts } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { exchangeCode, type ProviderTokens } from '../codes/code-flow.ts'
import { signInByPassword } from '../passwords/sign-in.ts'
import type { IssuedSession } from '../sessions/issue-session.ts'
import { refreshSession } from '../sessions/refresh-session.ts'
import { SingleFlight } from '../sessions/single-flight.ts'
import { spend } from '../throttle/limits.ts'
import { type AuthCall, type AuthReply, authCall, json } from './auth-call.ts'
import { AuthError } from './auth-error.ts'
import { TokenBody } from './bodies.ts'
import { Email, Password } from './schemas.ts'
import { providerFields, sessionJson } from './session-json.ts'

const MIN_REFRESH_TOKEN_LENGTH = 12

const Query = z.object({ grant_type: z.optional(z.string()) })
const PasswordGrant = z.object({ email: Email, password: Password })
const RefreshGrant = z.object({
  refresh_token: z.string().check(z.minLength(MIN_REFRESH_TOKEN_LENGTH), z.maxLength(1_000)),
})
const CodeGrant = z.object({
  auth_code: z.string().check(z.minLength(1), z.maxLength(200)),
  code_verifier: z.string().check(z.minLength(1), z.maxLength(200)),
})

/** The three grants: a password, a refresh token, and an authorization code (PKCE). */
export function tokenCalls(services: Services): AuthCall[] {
  const renewals = new SingleFlight<AuthReply>()
  const token = authCall(
    { method: 'POST', path: '/token', access: 'public', query: Query, body: TokenBody },
    async ({ query, body, request }) => {
      switch (query.grant_type ?? '') {
        case 'password':
          return byPassword(services, body, request)
        case 'refresh_token':
          return byRefreshToken(services, renewals, body, request)
        case 'pkce':
          return byCode(services, body, request)
        case 'web3':
          throw new AuthError('web3_provider_disabled', 'Web3 provider is disabled')
        case 'id_token':
          throw new AuthError('provider_disabled', 'Sign-in by an ID token is not enabled')
        default:
          throw new AuthError('unsupported_grant_type', 'grant_type: must be password, refresh_token or pkce')
      }
    },
  )
  return [token]
}

async function byPassword(
  services: Services,
  body: z.output<typeof TokenBody>,
  request: RequestFacts,
): Promise<AuthReply> {
  if (body.phone) throw new AuthError('phone_provider_disabled', 'Phone sign-in is disabled')
  const given = parsed(PasswordGrant, body, 'email and password are needed')
  const signedIn = await signInByPassword(services, given, request)
  if (signedIn === 'wrong') throw new AuthError('invalid_credentials', 'Invalid login credentials')
  if (signedIn === 'banned') throw new AuthError('user_banned', 'This account is banned')
  if (signedIn === 'unconfirmed') throw new AuthError('email_not_confirmed', 'Email not confirmed')
  return sessionReply(services, signedIn.session)
}

async function byRefreshToken(
  services: Services,
  renewals: SingleFlight<AuthReply>,
  body: z.output<typeof TokenBody>,
  request: RequestFacts,
): Promise<AuthReply> {
  await spend(services, { limit: 'refresh', address: request.address })
  const given = parsed(RefreshGrant, body, `refresh_token: must have at least ${MIN_REFRESH_TOKEN_LENGTH} characters`)
  return renewals.run(given.refresh_token, () => renew(services, given.refresh_token, request))
}

async function renew(services: Services, refreshToken: string, request: RequestFacts): Promise<AuthReply> {
  const session = await refreshSession(services, refreshToken, request)
  switch (session) {
    case 'unknown':
      throw new AuthError('refresh_token_not_found', 'Invalid Refresh Token: Refresh Token Not Found')
    case 'reused':
      throw new AuthError('refresh_token_already_used', 'Invalid Refresh Token: Already Used')
    case 'expired':
      throw new AuthError('session_expired', 'Invalid Refresh Token: Session Expired')
    case 'banned':
      throw new AuthError('user_banned', 'This account is banned')
    default:
      return sessionReply(services, session)
  }
}

async function byCode(services: Services, body: z.output<typeof TokenBody>, request: RequestFacts): Promise<AuthReply> {
  const given = parsed(CodeGrant, body, 'auth_code and code_verifier are needed')
  const exchanged = await exchangeCode(services, { code: given.auth_code, verifier: given.code_verifier }, request)
  switch (exchanged) {
    case 'unknown':
      throw new AuthError('flow_state_not_found', 'invalid flow state, no valid flow state found')
    case 'expired':
      throw new AuthError('flow_state_expired', 'invalid flow state, flow state has expired')
    case 'verifier':
      throw new AuthError('bad_code_verifier', 'code challenge does not match previously saved code verifier')
    case 'banned':
      throw new AuthError('user_banned', 'This account is banned')
    default:
      return sessionReply(services, exchanged.session, exchanged.provided)
  }
}

async function sessionReply(
  services: Services,
  session: IssuedSession,
  provided: ProviderTokens | null = null,
): Promise<AuthReply> {
  const body = await withoutWorkspace(services.db.accounts, (tx) => sessionJson(tx, session))
  return json({ ...body, ...(provided ? providerFields(provided) : {}) })
}

function parsed<T extends z.ZodMiniType>(schema: T, body: z.output<typeof TokenBody>, reason: string): z.output<T> {
  const result = schema.safeParse(body)
  if (!result.success) throw new AuthError('validation_failed', reason)
  return result.data
}
