import type { Context, SignedIn } from '../connector.ts'
import { isConnectorFailure, Rejected } from '../kit/errors.ts'
import { read } from './client.ts'
import { SlackSecrets } from './manifest.ts'
import { AuthTest, TeamInfo } from './schema.ts'

/**
 * Asks Slack who the token belongs to. The workspace's name and the address of its messages are stored, so that links
 * are built and not fetched. Without the scope `team:read` the response of `auth.test` is used.
 */
export async function check(context: Context): Promise<SignedIn> {
  const { bot_token } = SlackSecrets.parse(context.secrets)
  const me = await read(context, 'auth.test', {}, AuthTest)
  if (me.is_enterprise_install) throw new OrgWideInstall()
  const team = await teamOf(context)
  const settings = {
    team_id: me.team_id,
    team: team?.name || me.team,
    workspace_url: origin(me.url) ?? (isDomain(team?.domain) ? `https://${team.domain}.slack.com` : null),
    bot_id: me.bot_id ?? null,
    // With a user token this would be the person, whose messages are feedback like all others.
    bot_user_id: (me.bot_id && me.user_id) || null,
    // A pasted token was not issued to this connection, and may be in use elsewhere.
    revocable: false,
  }
  return { account: me.team_id, settings, secrets: { bot_token } }
}

/** The app was installed for a whole organisation of Enterprise Grid: its token has no workspace, and its events name none. */
export class OrgWideInstall extends Rejected {
  constructor() {
    super(
      'The app is installed for the whole organisation (Enterprise Grid), which is not supported. Install it in one workspace and connect that one',
    )
  }
}

type Team = { name?: string | null; domain?: string | null }

async function teamOf(context: Context): Promise<Team | null> {
  try {
    return (await read(context, 'team.info', {}, TeamInfo)).team
  } catch (error) {
    const bearable = isConnectorFailure(error) && (error.kind === 'auth' || error.kind === 'rejected')
    if (bearable) return null
    throw error
  }
}

const isDomain = (domain: string | null | undefined): domain is string =>
  typeof domain === 'string' && /^[a-z0-9][a-z0-9-]{0,62}$/i.test(domain)

function origin(url: string | null | undefined): string | null {
  if (!url || !URL.canParse(url)) return null
  const parsed = new URL(url)
  return /^https?:$/.test(parsed.protocol) ? parsed.origin : null
}
