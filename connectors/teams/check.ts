import type { Context, SignedIn } from '../connector.ts'
import { AuthExpired } from '../kit/errors.ts'
import { PERMISSIONS } from './app.ts'
import { call, channelPath, GraphRefusal, settingsOf } from './client.ts'
import { type Credentials, mintToken, tenantIdOf } from './entra.ts'
import { TeamsSecrets } from './manifest.ts'
import { ChannelPage, MessagePage, TeamPage } from './schema.ts'

/** The credentials that were pasted into the form; null where the connection uses the workspace's app. */
export function pastedCredentials(context: Pick<Context, 'settings' | 'secrets'>): Credentials | null {
  const { client_id } = settingsOf(context)
  const { client_secret } = TeamsSecrets.safeParse(context.secrets).data ?? {}
  return client_id && client_secret ? { client_id, client_secret } : null
}

/** Verifies the pasted credentials by minting a token with them, or the token that is there. The account is the tenant's id. */
export async function check(context: Context): Promise<SignedIn> {
  const pasted = pastedCredentials(context)
  const { tenant } = settingsOf(context)
  if (pasted)
    return await signIn(context, tenant, pasted, { client_id: pasted.client_id, secret: pasted.client_secret })
  const access_token = TeamsSecrets.safeParse(context.secrets).data?.access_token
  if (access_token === undefined) throw new AuthExpired('Microsoft Teams is not signed in: connect again')
  const tenant_id = await tenantIdOf(context, tenant)
  await requirePermissions(context)
  return { account: tenant_id, settings: { tenant, tenant_id }, secrets: { access_token } }
}

/** Mints a token and verifies what it may read. `pasted`: to be stored with the connection. */
export async function signIn(
  context: Context,
  tenant: string,
  credentials: Credentials,
  pasted: { client_id: string; secret: string } | null,
): Promise<SignedIn> {
  const tenant_id = await tenantIdOf(context, tenant)
  const { accessToken, expiresAt } = await mintToken(context, tenant_id, credentials)
  const secrets = { access_token: accessToken, ...(pasted ? { client_secret: pasted.secret } : {}) }
  await requirePermissions({ ...context, secrets })
  const settings = { tenant, tenant_id, ...(pasted ? { client_id: pasted.client_id } : {}) }
  return { account: tenant_id, settings, secrets, expiresAt }
}

/** How many teams are tried, until one shows a channel. */
const TRIED = '5'

/**
 * One request for each permission that is needed, so that a missing one is named here rather than in the middle of a sync. Another
 * refusal is about the team or channel that was tried, such as a team that is being created: then the next team is tried.
 */
async function requirePermissions(context: Context): Promise<void> {
  const teams = await call(context, {
    name: 'teams',
    path: '/teams',
    query: { $top: TRIED, $select: 'id,displayName' },
    schema: TeamPage,
    needs: PERMISSIONS.teams,
  })
  for (const { id } of teams.data.value.slice(0, Number(TRIED))) {
    try {
      return await tryTeam(context, id)
    } catch (error) {
      if (!(error instanceof GraphRefusal)) throw error
    }
  }
}

async function tryTeam(context: Context, team: string): Promise<void> {
  const channels = await call(context, {
    name: 'channels',
    path: `/teams/${encodeURIComponent(team)}/channels`,
    query: { $select: 'id,displayName,membershipType' },
    schema: ChannelPage,
    needs: PERMISSIONS.channels,
  })
  const channel = channels.data.value[0]?.id
  if (channel === undefined) return
  await call(context, {
    name: 'channel messages',
    path: channelPath({ team, channel }, '/messages'),
    query: { $top: '1' },
    schema: MessagePage,
    needs: PERMISSIONS.messages,
  })
}
