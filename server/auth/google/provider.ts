import * as openid from 'openid-client'
import type { Config } from '../../platform/config/config.ts'

/** The provider's app as the operator configured it. */
export type GoogleApp = NonNullable<Config['google']>

/** The values that a sign-in was started with; the callback must match them. */
export type StartedFlow = { redirectUri: string; state: string; nonce: string; verifier: string }

/** The person as the provider identifies them. `email` is in lower case. */
export type GooglePerson = {
  subject: string
  email: string | null
  emailVerified: boolean
  name: string | null
  picture: string | null
  accessToken: string
  refreshToken: string | null
}

/** The provider could not be reached, or its reply is not trustworthy. The message is for the log. */
export class GoogleError extends Error {
  override name = 'GoogleError'
  readonly kind: 'unavailable' | 'refused'

  constructor(kind: GoogleError['kind'], message: string, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
  }
}

export type Google = {
  /** The provider's sign-in URL. `extra`: Google's own parameters that a client may set. */
  authorizationUrl(started: StartedFlow, scopes: readonly string[], extra: Record<string, string>): Promise<URL>
  /** Exchanges the code of a callback's query and checks the ID token: signature, issuer, audience, time, nonce. */
  finish(started: StartedFlow, query: URLSearchParams): Promise<GooglePerson>
}

const SCOPES = ['openid', 'email', 'profile']
const TIMEOUT_SECONDS = 10

/** New random values for one sign-in. */
export function startFlow(redirectUri: string): StartedFlow {
  return {
    redirectUri,
    state: openid.randomState(),
    nonce: openid.randomNonce(),
    verifier: openid.randomPKCECodeVerifier(),
  }
}

/** Sign-in at Google, or at the OpenID provider configured in its place. Its discovery document is read once. */
export function createGoogle(app: GoogleApp): Google {
  let discovered: Promise<openid.Configuration> | undefined
  const configuration = async (): Promise<openid.Configuration> => {
    discovered ??= discover(app)
    try {
      return await discovered
    } catch (error) {
      discovered = undefined
      throw new GoogleError('unavailable', 'the provider could not be discovered', error)
    }
  }
  return {
    async authorizationUrl({ redirectUri, state, nonce, verifier }, scopes, extra) {
      return openid.buildAuthorizationUrl(await configuration(), {
        ...extra,
        redirect_uri: redirectUri,
        scope: [...new Set([...SCOPES, ...scopes])].join(' '),
        state,
        nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
    },
    async finish({ redirectUri, state, nonce, verifier }, query) {
      const known = await configuration()
      const url = new URL(redirectUri)
      url.search = query.toString()
      const tokens = await openid
        .authorizationCodeGrant(known, url, { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier })
        .catch((error: unknown) => {
          throw new GoogleError(isOutage(error) ? 'unavailable' : 'refused', 'the code could not be exchanged', error)
        })
      const claims = tokens.claims()
      if (!claims) throw new GoogleError('refused', 'there was no ID token')
      return {
        subject: claims.sub,
        email: typeof claims.email === 'string' ? claims.email.trim().toLowerCase() : null,
        emailVerified: claims.email_verified === true,
        name: textOf(claims.name),
        picture: textOf(claims.picture),
        accessToken: tokens.access_token,
        refreshToken: tokens.refresh_token ?? null,
      }
    },
  }
}

function discover(app: GoogleApp): Promise<openid.Configuration> {
  const issuer = new URL(app.issuer)
  return openid.discovery(issuer, app.clientId, undefined, openid.ClientSecretPost(app.clientSecret), {
    timeout: TIMEOUT_SECONDS,
    // The signature is verified although the token arrives over TLS; and http is allowed for this machine only.
    execute: [
      openid.enableNonRepudiationChecks,
      ...(issuer.protocol === 'http:' ? [openid.allowInsecureRequests] : []),
    ],
  })
}

/** A server error, a timeout or a failed connection, as opposed to a refusal or an invalid reply. */
function isOutage(error: unknown): boolean {
  const { code, status, cause } = (error ?? {}) as { code?: unknown; status?: unknown; cause?: unknown }
  if (typeof status === 'number') return status >= 500
  if (cause instanceof Response) return cause.status >= 500
  return code === 'OAUTH_TIMEOUT' || error instanceof TypeError
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value.slice(0, 500) : null
}
