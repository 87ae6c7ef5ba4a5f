const SCOPES = ['channels:read', 'channels:history', 'groups:history', 'users:read']

/** Slack's consent page, with the way back to `origin`/integrations: for a server that has no call to begin with. */
export function slackConsentAddress(clientId: string, origin: string): string {
  const query = new URLSearchParams({
    client_id: clientId,
    scope: SCOPES.join(','),
    redirect_uri: `${origin}/integrations`,
  })
  return `https://slack.com/oauth/v2/authorize?${query}`
}
