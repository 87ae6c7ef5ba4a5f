import type { Context, Refreshed } from '../connector.ts'
import { AuthExpired, type ConnectorFailure, Rejected, Unavailable } from '../kit/errors.ts'
import { hostUrl } from '../kit/host-url.ts'
import { jsonCall } from '../kit/json-call.ts'
import { isGuid } from './manifest.ts'
import { OpenIdConfiguration, Token, TokenError } from './schema.ts'

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

/** Mints an access token from the app's own credentials, usually for an hour. `AuthExpired`, with Entra's reason, if it refuses. */
export async function mintToken(
  context: Context,
  tenant: string,
  { client_id, client_secret }: Credentials,
): Promise<{ accessToken: string; expiresAt: NonNullable<Refreshed['expiresAt']> }> {
  const asked = context.now().getTime()
  const { data } = await jsonCall(context, {
    who: 'Microsoft Entra',
    name: 'token',
    method: 'POST',
    url: `${loginUrl(context)}/${encodeURIComponent(tenant)}/oauth2/v2.0/token`,
    body: { form: { client_id, client_secret, scope: SCOPE, grant_type: 'client_credentials' } },
    schema: Token,
    failures: ({ response: { status }, body }) => (status >= 400 && status < 500 ? refusal(status, body) : null),
  })
  return { accessToken: data.access_token, expiresAt: new Date(asked + data.expires_in * 1000) }
}

/** A response without an error of Entra, such as a proxy's, and an error that passes do not end the sign-in. */
function refusal(status: number, body: unknown): ConnectorFailure | null {
  if (status === 408 || status === 429) return null
  const { error, error_codes } = TokenError.safeParse(body).data ?? {}
  const codes = error_codes ?? []
  if (error === undefined || [error, ...codes].some((one) => PASSING.has(one))) {
    return new Unavailable(`Microsoft Entra answered ${status} to POST token: no token was issued for now`)
  }
  const reason = codes.map((code) => REASONS[code]).find((known) => known !== undefined)
  return new AuthExpired(
    `Microsoft Entra issues no token: ${reason ?? 'it refused the app. Check it'}, then connect again`,
  )
}

/** The id of a tenant that is given by its id or a domain. Entra's public configuration of the domain has it. */
export async function tenantIdOf(context: Context, tenant: string): Promise<string> {
  if (isGuid(tenant)) return tenant
  const { data } = await jsonCall(context, {
    who: 'Microsoft Entra',
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
