import * as z from 'zod/mini'
import type { Context, OAuth, Refreshed, SignedIn } from '../connector.ts'
import { AuthExpired, Rejected } from '../kit/errors.ts'
import { pastedCredentials, signIn } from './check.ts'
import { settingsOf } from './client.ts'
import { type Credentials, loginUrl, mintToken, tenantIdOf } from './entra.ts'
import { isGuid, TeamsSecrets, Tenant, tenantField } from './manifest.ts'

/**
 * Admin consent: an administrator grants the app its permissions, and Entra returns without a code. The token is minted from the app's
 * own credentials.
 */
export const oauth: OAuth = {
  fields: [tenantField],
  form: z.object({ tenant: Tenant }),
  authorizeUrl(context, app, { redirectUrl, state }) {
    const { tenant } = settingsOf(context)
    const query = new URLSearchParams({ client_id: app.client_id ?? '', redirect_uri: redirectUrl, state })
    return `${loginUrl(context)}/${encodeURIComponent(tenant)}/adminconsent?${query.toString()}`
  },
  async exchange(context: Context, app, { query = {} }): Promise<SignedIn> {
    if (query.admin_consent?.toLowerCase() !== 'true') {
      throw new Rejected('Microsoft gave no admin consent. Ask an administrator of the tenant to connect')
    }
    const { tenant } = settingsOf(context)
    const consented = query.tenant?.toLowerCase() ?? ''
    if (!isGuid(consented) || consented !== (await tenantIdOf(context, tenant))) {
      throw new Rejected('Consent was given in another tenant than the one that was entered. Connect again')
    }
    return await signIn(context, tenant, credentialsOf(app), null)
  },
}

/** Mints a new token. There is no refresh token: the app's credentials, or the pasted ones, are enough. */
export async function refresh(context: Context, app: Record<string, string> | null): Promise<Refreshed> {
  const { tenant, tenant_id } = settingsOf(context)
  const pasted = pastedCredentials(context)
  const credentials = pasted ?? (app ? credentialsOf(app) : null)
  if (credentials === null) throw new AuthExpired('The app for Microsoft Teams is no longer set up. Connect again')
  const { accessToken, expiresAt } = await mintToken(context, tenant_id ?? tenant, credentials, {
    renews: pasted === null,
  })
  const kept = TeamsSecrets.safeParse(context.secrets).data?.client_secret
  return { secrets: { access_token: accessToken, ...(pasted && kept ? { client_secret: kept } : {}) }, expiresAt }
}

const credentialsOf = ({ client_id = '', client_secret = '' }: Record<string, string>): Credentials => ({
  client_id,
  client_secret,
})
