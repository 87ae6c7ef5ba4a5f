import type { Context, Refreshed } from '../connector.ts'
import { AuthExpired, Rejected } from '../kit/errors.ts'
import { hostUrl } from '../kit/http/host-url.ts'
import { jsonCall } from '../kit/http/json-call.ts'
import { isGatewayError, type TokenRefusal, tokenCall } from '../kit/http/token-call.ts'
import { isGuid } from './manifest.ts'
import { OpenIdConfiguration, Token, TokenError } from './schema.ts'

const WHO = 'Microsoft Entra'
const LOGIN = 'https://login.microsoftonline.com'
/** Everything that was granted to the app. */
const SCOPE = 'https://graph.microsoft.com/.default'

/** Entra's address, without a trailing slash. */
export const loginUrl = (context: Pick<Context, 'baseUrl' | 'hostUrls'>) => hostUrl(context, 'login', LOGIN)

/** Why Entra issues no token, by its codes (AADSTS…). */
const REASONS: Readonly<Record<number, string>> = {
  7000215: 'the client secret is not the right one. Enter its value, not its ID',
  7000222: 'the client secret has expired. Create a new one',
  700016: 'the app does not exist in this tenant. Check the Application (client) ID and the tenant',
  90002: 'there is no such tenant. Check the tenant',
  7000229: 'the app has no consent in this tenant. Give admin consent',
  7000112: 'the app is disabled in this tenant. Enable it',
}

/** Codes and errors of Entra that pass: it is busy, or asks to try again. */
const PASSING: ReadonlySet<number | string> = new Set([
  90006,
  90024,
  90033,
  90055,
  'temporarily_unavailable',
  'server_error',
  'service_unavailable',
])

export type Credentials = { client_id: string; client_secret: string }

/**
 * Mints an access token from the app's own credentials, usually for an hour. `AuthExpired`, with Entra's reason, if it refuses. `renews`: with the app of
 * the workspace or the operator, for a connection that has been signed in: `AppRefused` where its secret is wrong.
 */
export async function mintToken(
  context: Context,
  tenant: string,
  { client_id, client_secret }: Credentials,
  { renews } = { renews: false },
): Promise<{ accessToken: string; expiresAt: NonNullable<Refreshed['expiresAt']> }> {
  const asked = context.now().getTime()
  const { access_token, expires_in } = await tokenCall(context, {
    who: WHO,
    name: 'token',
    url: `${loginUrl(context)}/${encodeURIComponent(tenant)}/oauth2/v2.0/token`,
    body: { form: { client_id, client_secret, scope: SCOPE, grant_type: 'client_credentials' } },
    schema: Token,
    renews,
    readRefusal: (body) => {
      const { error, error_codes } = TokenError.safeParse(body).data ?? {}
      return error === undefined || isGatewayError(error) ? null : { error, description: (error_codes ?? []).join(' ') }
    },
    isTemporary: (refusal) => [refusal.error, ...codesOf(refusal)].some((one) => PASSING.has(one)),
    appFault: (refusal) => {
      const reason = reasonOf(refusal)
      return reason === undefined ? '' : ` (${reason})`
    },
    refused: (refusal) =>
      new AuthExpired(
        `${WHO} issues no token: ${reasonOf(refusal) ?? 'it refused the app. Check it'}, then connect again`,
      ),
  })
  return { accessToken: access_token, expiresAt: new Date(asked + expires_in * 1000) }
}

const codesOf = ({ description }: TokenRefusal) => description.split(' ').map(Number)

const reasonOf = (refusal: TokenRefusal) =>
  codesOf(refusal)
    .map((code) => REASONS[code])
    .find((known) => known !== undefined)

/** The id of a tenant that is given by its id or a domain. Entra's public configuration of the domain has it. */
export async function tenantIdOf(context: Context, tenant: string): Promise<string> {
  if (isGuid(tenant)) return tenant
  const { data } = await jsonCall(context, {
    who: WHO,
    name: 'openid-configuration',
    method: 'GET',
    url: `${loginUrl(context)}/${encodeURIComponent(tenant)}/v2.0/.well-known/openid-configuration`,
    schema: OpenIdConfiguration,
    failures: ({ response: { status } }) =>
      status === 400 || status === 404 ? new Rejected('There is no Microsoft tenant with this domain') : null,
  })
  const id = data.issuer.split('/').find((part) => isGuid(part.toLowerCase()))
  if (id === undefined) throw new Rejected('There is no Microsoft tenant with this domain')
  return id.toLowerCase()
}
