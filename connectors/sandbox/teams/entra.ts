import { randomBytes } from 'node:crypto'
import type { ConsentPage } from '../consent.ts'
import { canReturn, returnAddress } from '../grants.ts'
import type { Reply } from './lists.ts'
import { DOMAIN, TENANT_ID } from './tenant.ts'

/** The permissions that an administrator may grant. */
export const ALL = ['ChannelMessage.Read.All', 'Channel.ReadBasic.All', 'Team.ReadBasic.All', 'User.Read.All']

export type Entra = {
  clientId: string
  clientSecret: string
  /** Whether an administrator has consented. */
  consented: boolean
  granted: Set<string>
  tokens: Map<string, number>
}

const names = new Set([TENANT_ID, DOMAIN])
const denied = (status: number, error: string, code: number): Reply => ({
  status,
  body: { error, error_description: `AADSTS${code}: The request was refused.`, error_codes: [code] },
})

/** `GET /{tenant}/v2.0/.well-known/openid-configuration`. */
export function configuration(tenant: string): Reply {
  if (!names.has(tenant)) return denied(400, 'invalid_tenant', 90_002)
  return { status: 200, body: { issuer: `https://login.microsoftonline.com/${TENANT_ID}/v2.0` } }
}

/** `POST /{tenant}/oauth2/v2.0/token` for an app without a user. */
export function grantToken(
  entra: Entra,
  tenant: string,
  form: URLSearchParams,
  clock: { now: number; lifetime: number },
): Reply {
  if (!names.has(tenant)) return denied(400, 'invalid_request', 90_002)
  if (form.get('grant_type') !== 'client_credentials') return denied(400, 'unsupported_grant_type', 70_003)
  if (form.get('scope') !== 'https://graph.microsoft.com/.default') return denied(400, 'invalid_scope', 70_011)
  if (form.get('client_id') !== entra.clientId) return denied(400, 'unauthorized_client', 700_016)
  if (form.get('client_secret') !== entra.clientSecret) return denied(401, 'invalid_client', 7_000_215)
  if (!entra.consented) return denied(401, 'unauthorized_client', 7_000_229)
  const token = `eyJ0.${randomBytes(32).toString('base64url')}`
  entra.tokens.set(token, clock.now + clock.lifetime * 1000)
  return { status: 200, body: { token_type: 'Bearer', expires_in: clock.lifetime, access_token: token } }
}

/** The page on which an administrator of a tenant grants the permissions. The browser goes back without a code. */
export const consentOf = (entra: Entra, tenant: string): ConsentPage => ({
  problem(values) {
    if (!names.has(tenant)) return 'There is no such tenant.'
    if (values.get('client_id') !== entra.clientId) return 'The app does not exist in this tenant.'
    return canReturn(values) ? null : 'The address to return to cannot be used.'
  },
  words: () => ({
    title: 'Groundswell wants to read your Teams channels',
    about: `Microsoft Entra on this machine, with the made-up tenant ${DOMAIN}.`,
    permissions: [...entra.granted],
    action: `/${tenant}/adminconsent`,
    allow: 'Accept',
  }),
  decide(values) {
    if (values.get('decision') !== 'allow') {
      const error_description = 'The administrator did not consent'
      return returnAddress(values, { error: 'access_denied', error_description })
    }
    entra.consented = true
    return returnAddress(values, { tenant: TENANT_ID, admin_consent: 'True' })
  },
})
