import { withoutControls } from '@groundswell/contract/values/name.ts'
import * as openid from 'openid-client'
import type { RequestFacts } from '../../platform/http/handle.ts'

/** An app that is registered at an OpenID provider. `issuer` has no trailing slash unless the provider's own has one. */
export type OpenIdApp = { issuer: string; clientId: string; clientSecret: string }

/** The values that a sign-in was started with; the callback must match them. */
export type StartedFlow = { redirectUri: string; state: string; nonce: string; verifier: string }

/** The person as the provider identifies them. `email` is in lower case, `emailVerified` null where the provider says nothing about it. */
export type OpenIdPerson = {
  subject: string
  email: string | null
  emailVerified: boolean | null
  name: string | null
  picture: string | null
  /** Google: the organisation that the account belongs to. */
  hostedDomain: string | null
  accessToken: string
  refreshToken: string | null
}

/** The provider could not be reached, does not accept the app, or its reply is not trustworthy. The message is for the log. */
export class OpenIdError extends Error {
  override name = 'OpenIdError'
  readonly kind: 'unavailable' | 'app-refused' | 'refused'

  constructor(kind: OpenIdError['kind'], message: string, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
  }
}

/** Sign-in at one identity provider. */
export type OpenIdProvider = {
  /** The provider's sign-in URL. `extra`: the provider's own parameters. */
  authorizationUrl(started: StartedFlow, scopes: readonly string[], extra: Record<string, string>): Promise<URL>
  /** Exchanges the code of a callback's query and checks the ID token: signature, issuer, audience, time, nonce. */
  finish(started: StartedFlow, query: URLSearchParams): Promise<OpenIdPerson>
}

const SCOPES = ['openid', 'email', 'profile']
const TIMEOUT_SECONDS = 10
/** At most 255 ASCII characters. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/

/** New random values for one sign-in. */
export function startFlow(redirectUri: string): StartedFlow {
  return {
    redirectUri,
    state: openid.randomState(),
    nonce: openid.randomNonce(),
    verifier: openid.randomPKCECodeVerifier(),
  }
}

/** Sign-in at an OpenID provider. Its discovery document is read once. `fetch` replaces the requests to it. */
export function createProvider(app: OpenIdApp, fetch?: openid.CustomFetch): OpenIdProvider {
  let discovered: Promise<openid.Configuration> | undefined
  const configuration = async (): Promise<openid.Configuration> => {
    discovered ??= discover(app, fetch)
    try {
      return await discovered
    } catch (error) {
      discovered = undefined
      throw new OpenIdError('unavailable', 'the provider could not be discovered', error)
    }
  }
  return {
    async authorizationUrl({ redirectUri, state, nonce, verifier }, scopes, extra) {
      const url = openid.buildAuthorizationUrl(await configuration(), {
        ...extra,
        redirect_uri: redirectUri,
        scope: [...new Set([...SCOPES, ...scopes])].join(' '),
        state,
        nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
      if (url.protocol !== 'https:' && url.protocol !== new URL(app.issuer).protocol) {
        throw new OpenIdError('refused', 'the address of the sign-in page is not https')
      }
      return url
    },
    async finish({ redirectUri, state, nonce, verifier }, query) {
      const known = await configuration()
      const url = new URL(redirectUri)
      url.search = query.toString()
      const tokens = await openid
        .authorizationCodeGrant(known, url, { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier })
        .catch((error: unknown) => {
          if (isOfApp(error))
            throw new OpenIdError('app-refused', 'the provider does not accept the client secret', error)
          throw new OpenIdError(isOutage(error) ? 'unavailable' : 'refused', 'the code could not be exchanged', error)
        })
      const signed = tokens.claims()
      if (!signed) throw new OpenIdError('refused', 'there was no ID token')
      if (!SUBJECT.test(signed.sub)) throw new OpenIdError('refused', 'the subject is not as OpenID Connect defines it')
      const claims = signed.email === undefined ? await withUserInfo(known, tokens.access_token, signed) : signed
      return {
        subject: signed.sub,
        email: typeof claims.email === 'string' ? claims.email.trim().toLowerCase() : null,
        emailVerified: isVerified(claims.email_verified),
        name: textOf(claims.name),
        picture: textOf(claims.picture),
        hostedDomain: textOf(claims.hd),
        accessToken: tokens.access_token,
        refreshToken: tokens.refresh_token ?? null,
      }
    },
  }
}

/** Providers may put no more than the subject into an ID token: the rest is at their user info endpoint, for the same subject. */
async function withUserInfo(
  known: openid.Configuration,
  accessToken: string,
  signed: openid.IDToken,
): Promise<openid.IDToken & openid.UserInfoResponse> {
  if (known.serverMetadata().userinfo_endpoint === undefined) return signed
  const more = await openid.fetchUserInfo(known, accessToken, signed.sub).catch((error: unknown) => {
    throw new OpenIdError(isOutage(error) ? 'unavailable' : 'refused', 'the user info could not be read', error)
  })
  return { ...more, ...signed }
}

/** Reads what a provider announces. The secret is in the body of requests unless the provider accepts it in their header only. */
async function discover(
  { issuer: address, clientId, clientSecret }: OpenIdApp,
  fetch: openid.CustomFetch | undefined,
): Promise<openid.Configuration> {
  const issuer = new URL(address)
  const insecure = issuer.protocol === 'http:'
  const sent: openid.ClientAuth = (server, ...more) => {
    const methods = server.token_endpoint_auth_methods_supported
    const inHeader = methods !== undefined && !methods.includes('client_secret_post')
    return (inHeader ? openid.ClientSecretBasic(clientSecret) : openid.ClientSecretPost(clientSecret))(server, ...more)
  }
  return openid.discovery(issuer, clientId, undefined, sent, {
    timeout: TIMEOUT_SECONDS,
    ...(fetch ? { [openid.customFetch]: fetch } : {}),
    // The signature is verified although the token arrives over TLS; and http is allowed for this machine only.
    execute: [openid.enableNonRepudiationChecks, ...(insecure ? [openid.allowInsecureRequests] : [])],
  })
}

/** The app's secret is wrong or has expired: a person can do nothing about it, the operator can. */
const isOfApp = (error: unknown): boolean => (error as { error?: unknown } | null)?.error === 'invalid_client'

/**
 * A server error, a timeout or a failed connection, as opposed to a refusal or an invalid reply. So is a refusal that is not one of OpenID Connect, such
 * as the page of a proxy.
 */
function isOutage(error: unknown): boolean {
  const { code, status, cause } = (error ?? {}) as { code?: unknown; status?: unknown; cause?: unknown }
  if (typeof status === 'number') return status >= 500
  if (cause instanceof Response) return cause.status >= 400
  return code === 'OAUTH_TIMEOUT' || error instanceof TypeError
}

function textOf(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const text = withoutControls(value.toWellFormed()).trim().slice(0, 500)
  return text === '' ? null : text
}

/** Some providers send words instead of booleans. Only a true one counts as verified. */
function isVerified(value: unknown): boolean | null {
  if (value === true) return true
  return value === false || value === 'false' ? false : null
}

/** The library's own message, without the provider's reply, which may contain personal data. */
export function logFailure({ log }: Pick<RequestFacts, 'log'>, provider: string, error: unknown): void {
  const { cause, message } = error instanceof Error ? error : new Error(typeof error)
  const why = cause instanceof Error ? { name: cause.name, message: cause.message } : {}
  log.warn({ err: message, why }, `sign-in with ${provider} failed`)
}
