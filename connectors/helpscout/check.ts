import type { Context, SignedIn } from '../connector.ts'
import { AuthExpired } from '../kit/errors.ts'
import { call, settingsOf } from './client.ts'
import { HelpScoutSecrets } from './manifest.ts'
import { User } from './schema.ts'
import { grant } from './tokens.ts'

/** Requests who the credentials belong to, with a new token where only the app is known. The account is the company. */
export async function check(context: Context): Promise<SignedIn> {
  const held = HelpScoutSecrets.safeParse(context.secrets).data
  if (!held) throw new AuthExpired('Help Scout is not signed in: connect again')
  if (held.access_token !== undefined) {
    const secrets = Object.fromEntries(Object.entries(held).filter(([, value]) => value !== undefined))
    return await accountOf(context, secrets, null)
  }
  const { secrets, expiresAt } = await mint(context)
  return await accountOf({ ...context, secrets }, secrets, expiresAt)
}

/** A token for the app of the form: it ends after two days, and there is no refresh token for it. */
export async function mint(context: Context): Promise<{ secrets: Record<string, string>; expiresAt: Date | null }> {
  const app_secret = context.secrets.app_secret ?? ''
  const client_id = settingsOf(context).app_id ?? ''
  const { secrets, expiresAt } = await grant(
    context,
    { grant_type: 'client_credentials', client_id, client_secret: app_secret },
    new AuthExpired('Help Scout did not accept the App ID and the App Secret. Check them, then connect again'),
  )
  return { secrets: { app_secret, access_token: secrets.access_token }, expiresAt }
}

async function accountOf(context: Context, secrets: Record<string, string>, expiresAt: Date | null): Promise<SignedIn> {
  const { data } = await call(context, { name: 'users/me', path: '/v2/users/me', schema: User })
  const { id, firstName, lastName, email, companyId } = data
  const name = email || [firstName, lastName].filter(Boolean).join(' ')
  const { app_id } = settingsOf(context)
  return {
    account: companyId ? String(companyId) : `user:${id}`,
    settings: { ...(name ? { name } : {}), ...(app_id && 'app_secret' in secrets ? { app_id } : {}) },
    secrets,
    expiresAt,
  }
}
