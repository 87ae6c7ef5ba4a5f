import type { StartDemo } from '../demo-provider.ts'
import { startTeams } from './teams.ts'

export const startDemo: StartDemo = async (company) => {
  const { url, domain, clientId, clientSecret, post, stop } = await startTeams({ company })
  return { id: 'teams', url, form: { tenant: domain, client_id: clientId, client_secret: clientSecret }, post, stop }
}
