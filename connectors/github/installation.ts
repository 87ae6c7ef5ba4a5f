import * as z from 'zod/mini'
import type { Context, Refreshed } from '../connector.ts'
import { AppRefused, AuthExpired, Rejected } from '../kit/errors.ts'
import { PERMISSIONS } from './app.ts'
import { appToken } from './app-token.ts'
import { call } from './client.ts'
import { GitHubSecrets } from './manifest.ts'
import { InstallationToken } from './schema.ts'

const Settings = z.object({ installation_id: z.string().check(z.regex(/^\d{1,15}$/)) })

/** Mints a token of an installation, which ends after an hour. `AuthExpired` where it is suspended or was removed. */
export async function mintToken(
  context: Context,
  app: Record<string, string>,
  id: string,
  { renews } = { renews: false },
): Promise<Refreshed> {
  const wrongKey = 'GitHub does not accept the private key of the app, or the clock of this machine is wrong'
  const lacking = 'The installation of the GitHub app lacks the permission Issues: read and write. Accept it on GitHub'
  const { token, expires_at } = await call(context, {
    method: 'POST',
    name: 'apps.createInstallationAccessToken',
    path: `/app/installations/${id}/access_tokens`,
    json: { permissions: PERMISSIONS },
    authorization: `Bearer ${appToken(app, context.now())}`,
    schema: InstallationToken,
    ledger: false,
    ofTokens: true,
    refusals: {
      401: renews ? new AppRefused(`${wrongKey}. Correct it in the set-up of the app`) : new AuthExpired(wrongKey),
      404: new AuthExpired('The app is no longer installed on GitHub. Connect again'),
      422: new AuthExpired(`${lacking}, then connect again`),
    },
  })
  const expiresAt = new Date(expires_at)
  return { secrets: { access_token: token }, expiresAt: Number.isNaN(expiresAt.getTime()) ? null : expiresAt }
}

/** Mints the next token of an installation. A personal access token is never renewed. */
export async function refresh(context: Context, app: Record<string, string> | null): Promise<Refreshed> {
  const settings = Settings.safeParse(context.settings)
  if (!settings.success) throw new AuthExpired('GitHub no longer accepts the token. Connect again')
  if (app === null) throw new AuthExpired('The GitHub app is no longer set up here. Set it up, then connect again')
  return await mintToken(context, app, settings.data.installation_id, { renews: true })
}

/**
 * Revokes the token of an installation. The installation stays: other connections may use it, and its owner can remove it on GitHub. So does
 * a pasted token.
 */
export async function revoke(context: Context): Promise<void> {
  const held = GitHubSecrets.safeParse(context.secrets).data
  if (!held || 'token' in held) return
  try {
    await call(context, {
      method: 'DELETE',
      name: 'apps.revokeInstallationAccessToken',
      path: '/installation/token',
      schema: z.unknown(),
    })
  } catch (error) {
    // It has ended, is suspended, or was revoked before.
    if (!(error instanceof AuthExpired || error instanceof Rejected)) throw error
  }
}
