import type { Context, OAuth, Refreshed, SignedIn } from '../connector.ts'
import { AuthExpired, Rejected } from '../kit/errors.ts'
import { check, mint } from './check.ts'
import { signInUrl } from './client.ts'
import { HelpScoutSecrets } from './manifest.ts'
import { grant } from './tokens.ts'

/** OAuth of the workspace's app. There are no scopes: a token may do what the person may. */
export const oauth: OAuth = {
  authorizeUrl(context, app, { state }) {
    const query = new URLSearchParams({ client_id: app.client_id ?? '', state })
    return `${signInUrl(context)}/authentication/authorizeClientApplication?${query.toString()}`
  },
  async exchange(context: Context, app, { code }): Promise<SignedIn> {
    const { secrets, expiresAt } = await grant(
      context,
      { grant_type: 'authorization_code', code, ...credentials(app) },
      new Rejected(
        'Help Scout refused to sign in: check the App ID, the App Secret and the redirection URL, then retry',
      ),
    )
    return { ...(await check({ ...context, secrets })), expiresAt }
  },
}

const credentials = ({ client_id = '', client_secret = '' }: Record<string, string>) => ({ client_id, client_secret })

/** A new pair of tokens by the refresh token, which is replaced too; with client credentials a newly minted token. */
export async function refresh(context: Context, app: Record<string, string> | null): Promise<Refreshed> {
  const held = HelpScoutSecrets.safeParse(context.secrets).data
  if (held && 'app_secret' in held) return await mint(context)
  const refresh_token = held?.refresh_token
  if (refresh_token === undefined || app === null)
    throw new AuthExpired('The sign-in at Help Scout is over. Connect again')
  const { secrets, expiresAt } = await grant(
    context,
    { grant_type: 'refresh_token', refresh_token, ...credentials(app) },
    new AuthExpired('Help Scout no longer accepts the sign-in. Connect again'),
  )
  return { secrets: { refresh_token, ...secrets }, expiresAt }
}
