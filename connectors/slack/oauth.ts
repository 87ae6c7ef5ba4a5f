import type { Context, OAuth, SignedIn } from '../connector.ts'
import { isConnectorFailure } from '../kit/errors.ts'
import { SCOPES } from './app.ts'
import { check, OrgWideInstall } from './check.ts'
import { requestTokens, slackUrl } from './client.ts'
import { issued } from './rotation.ts'
import { Access } from './schema.ts'

/** OAuth v2 of Slack. A code is valid for one exchange, so it is sent once. */
export const oauth: OAuth = {
  authorizeUrl(context, app, { redirectUrl, state }) {
    const query = new URLSearchParams({
      client_id: app.client_id ?? '',
      scope: SCOPES.join(','),
      redirect_uri: redirectUrl,
      state,
    })
    return `${slackUrl(context)}/oauth/v2/authorize?${query.toString()}`
  },
  async exchange(context: Context, app, { redirectUrl, code }): Promise<SignedIn> {
    const { client_id, client_secret } = app
    const access = await requestTokens(context, { client_id, client_secret, code, redirect_uri: redirectUrl }, Access)
    if (access.is_enterprise_install) throw new OrgWideInstall()
    const { secrets, expiresAt } = issued(access, context.now())
    try {
      const signedIn = await check({ ...context, secrets })
      return { ...signedIn, settings: { ...signedIn.settings, revocable: true }, secrets, expiresAt }
    } catch (error) {
      // The exchange itself identifies the account; only links to messages are missing.
      const { team, bot_user_id } = access
      if (!team || error instanceof OrgWideInstall) throw error
      if (!isConnectorFailure(error) || error.kind !== 'rejected') throw error
      const settings = {
        team_id: team.id,
        team: team.name || team.id,
        workspace_url: null,
        bot_id: null,
        bot_user_id,
        revocable: true,
      }
      return { account: team.id, settings, secrets, expiresAt }
    }
  },
}
