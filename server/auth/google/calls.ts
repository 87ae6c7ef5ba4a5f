import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { withoutWorkspace } from '../../platform/db/tenant.ts'
import type { RequestFacts } from '../../platform/http/handle.ts'
import { open, seal } from '../../platform/secrets/seal.ts'
import type { Services } from '../../platform/services.ts'
import { isSameBrowser, markBrowser } from '../openid/browser-cookie.ts'
import {
  createProvider,
  logFailure,
  OpenIdError,
  type OpenIdPerson,
  type OpenIdProvider,
  startFlow,
} from '../openid/provider.ts'
import { type AuthCall, type AuthReply, authCall, redirect } from '../protocol/auth-call.ts'
import { AuthError } from '../protocol/auth-error.ts'
import { redirectTarget, withFragment, withQuery } from '../protocol/redirects.ts'
import { Challenge } from '../protocol/schemas.ts'
import { badState, type Problem, sendProblem } from '../protocol/send-problem.ts'
import { providerFields, sessionFragment } from '../protocol/session-json.ts'
import { hashToken } from '../sessions/opaque-token.ts'
import { originOf, siteUrl } from '../site-url.ts'
import { type GoogleRefusal, signInByGoogle } from './sign-in.ts'
import { insertFlow, type StoredFlow, takeFlow } from './store.ts'

/** Google's own parameters that a client may pass through. */
const PASSTHROUGH_PARAMETERS = ['access_type', 'prompt', 'login_hint', 'hd', 'include_granted_scopes'] as const
const FLOW_MS = 10 * 60_000

const word = z.optional(z.string().check(z.maxLength(500)))

const AuthorizeQuery = z.object({
  provider: z.string().check(z.regex(/^[a-z0-9]{1,40}$/i, 'must be the name of a provider')),
  redirect_to: z.optional(z.string().check(z.maxLength(2_000))),
  scopes: z.optional(z.string().check(z.maxLength(2_000), z.regex(/^[\x21-\x7e]*( +[\x21-\x7e]+)*$/, 'must be words'))),
  ...Challenge,
  access_type: word,
  prompt: word,
  login_hint: word,
  hd: word,
  include_granted_scopes: word,
})

/** Sign-in with Google: the redirect to the provider and the callback. */
export function googleCalls(services: Services): AuthCall[] {
  const google = services.config.google ? createProvider(services.config.google) : null
  return [authorizeCall(services, google), callbackCall(services, google)]
}

function authorizeCall(services: Services, google: OpenIdProvider | null): AuthCall {
  return authCall(
    { method: 'GET', path: '/authorize', access: 'public', query: AuthorizeQuery, limit: 'oauth' },
    async ({ query, request }) => {
      if (query.provider !== 'google') {
        throw new AuthError('validation_failed', `Sign-in with ${query.provider} is not supported: only google is`)
      }
      if (!google) {
        throw new AuthError(
          'provider_disabled',
          'Sign-in with Google is not set up here: the operator sets GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET',
        )
      }
      const started = startFlow(callbackAddress(services, request))
      const extra = Object.fromEntries(
        PASSTHROUGH_PARAMETERS.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]])),
      ) as Record<string, string>
      const scopes = (query.scopes ?? '').split(' ').filter((scope) => scope !== '')
      const url = await google.authorizationUrl(started, scopes, extra).catch((error: unknown) => {
        logFailure(request, 'Google', error)
        return null
      })
      const redirectTo = redirectTarget(services, query.redirect_to, request.headers)
      if (!url) return sendProblem(redirectTo, outage)
      const { browserHash, setCookie } = markBrowser(services, request.headers)
      const id = randomUUID()
      const at = services.now()
      await withoutWorkspace(services.db.accounts, (tx) =>
        insertFlow(tx, {
          id,
          provider: 'google',
          stateHash: hashToken(started.state),
          nonce: started.nonce,
          sealedVerifier: seal(services.key, started.verifier, sealedForFlow(id)),
          browserHash,
          codeChallenge: query.code_challenge ?? null,
          redirectTo,
          at,
          expiresAt: new Date(at.getTime() + FLOW_MS),
        }),
      )
      return { status: 302, headers: { location: url.href, 'set-cookie': setCookie } }
    },
  )
}

function callbackCall(services: Services, google: OpenIdProvider | null): AuthCall {
  const query = z.record(z.string(), z.unknown())
  return authCall({ method: 'GET', path: '/callback', access: 'public', query, limit: 'oauth' }, async (input) => {
    const { request } = input
    const answer = new URLSearchParams()
    for (const [name, value] of Object.entries(input.query)) if (typeof value === 'string') answer.set(name, value)
    const state = answer.get('state') ?? ''
    const flow = await withoutWorkspace(services.db.accounts, (tx) => takeFlow(tx, hashToken(state)))
    if (!google || !flow) return sendProblem(siteUrl(services), badState('is unknown here, or was used already'))
    if (flow.expiresAt <= services.now()) return sendProblem(flow.redirectTo, badState('took too long'))
    if (!isSameBrowser(services, request.headers, flow.browserHash)) {
      return sendProblem(siteUrl(services), badState('was started in another browser'))
    }
    if (answer.has('error')) return sendProblem(flow.redirectTo, declined(answer.get('error')))
    let person: OpenIdPerson
    try {
      person = await google.finish(startedFlowOf(services, flow, state, request), answer)
    } catch (error) {
      logFailure(request, 'Google', error)
      return sendProblem(flow.redirectTo, error instanceof OpenIdError ? failures[error.kind] : outage)
    }
    return finished(services, flow, person, request)
  })
}

async function finished(
  services: Services,
  flow: StoredFlow,
  person: OpenIdPerson,
  request: RequestFacts,
): Promise<AuthReply> {
  const { accessToken, refreshToken } = person
  const provided = { accessToken, refreshToken }
  const outcome = await signInByGoogle(services, person, { ...flow, provided }, request)
  if ('refused' in outcome) return sendProblem(flow.redirectTo, refusals[outcome.refused])
  if ('code' in outcome) return redirect(withQuery(flow.redirectTo, { code: outcome.code }), 302)
  const fields = sessionFragment(outcome.session, providerFields(provided))
  return redirect(withFragment(flow.redirectTo, fields), 302)
}

function startedFlowOf(services: Services, flow: StoredFlow, state: string, request: RequestFacts) {
  const verifier = open(services.key, flow.sealedVerifier, sealedForFlow(flow.id))
  return { redirectUri: callbackAddress(services, request), state, nonce: flow.nonce, verifier }
}

/** Where Google redirects the browser. */
function callbackAddress(services: Services, request: RequestFacts): string {
  return `${originOf(services, request)}/auth/v1/callback`
}

function sealedForFlow(id: string): string {
  return `flow_state:${id}`
}

const outage: Problem = {
  error: 'server_error',
  code: 'unexpected_failure',
  words: 'Google could not be reached: try again',
}
const disbelieved: Problem = {
  error: 'server_error',
  code: 'bad_oauth_callback',
  words: 'Google’s reply could not be verified, so nobody was signed in: try again',
}
const failures = {
  unavailable: outage,
  'app-refused': {
    error: 'server_error',
    code: 'unexpected_failure',
    words: 'Google does not accept the client ID or the secret of this server: tell its administrator',
  },
  refused: disbelieved,
} satisfies Readonly<Record<OpenIdError['kind'], Problem>>
const refusals: Readonly<Record<GoogleRefusal, Problem>> = {
  banned: { error: 'access_denied', code: 'user_banned', words: 'This account may not sign in' },
  unverified: {
    error: 'access_denied',
    code: 'provider_email_needs_verification',
    words: 'Google has not verified your e-mail address: verify it there first',
  },
  unconfirmed: {
    error: 'access_denied',
    code: 'email_not_confirmed',
    words: 'There is an account with this e-mail address that was never confirmed: sign in with its password',
  },
  taken: {
    error: 'access_denied',
    code: 'email_exists',
    words: 'The account with this e-mail address is another person’s at Google: sign in with its password',
  },
  closed: { error: 'access_denied', code: 'signup_disabled', words: 'New accounts cannot be made here: ask an admin' },
}

function declined(error: string | null): Problem {
  return error === 'access_denied'
    ? { error, code: 'access_denied', words: 'The sign-in was cancelled at Google' }
    : { error: 'server_error', code: 'bad_oauth_callback', words: 'Google refused the sign-in: try again' }
}
