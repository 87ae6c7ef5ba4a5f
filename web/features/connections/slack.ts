import type { PublicConfig } from '@groundswell/contract/operations.ts'
import { toast } from '../../ui/toast-store.ts'

/** The id of the chat tool's tile, as the specification's calls use it. */
export const SLACK = 'slack'

const SCOPES = ['channels:read', 'channels:history', 'groups:history', 'users:read']

/** Slack's consent page, which returns to `origin`/integrations: for a server that has no call to start a sign-in. */
export function slackConsentUrl(clientId: string, origin: string): string {
  const query = new URLSearchParams({
    client_id: clientId,
    scope: SCOPES.join(','),
    redirect_uri: `${origin}/integrations`,
  })
  return `https://slack.com/oauth/v2/authorize?${query}`
}

/** Opens the consent page with the client id of the server's configuration, or with the one given when this app was built. */
export function signInAtSlack(config: PublicConfig | null | undefined): void {
  const clientId = config?.slack_client_id ?? import.meta.env.VITE_SLACK_CLIENT_ID
  if (clientId) location.assign(slackConsentUrl(clientId, location.origin))
  else toast({ title: 'Slack is not set up', description: 'This server has no Slack client ID yet.' })
}
