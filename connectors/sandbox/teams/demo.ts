import type { StartDemo } from '../demo-provider.ts'
import { startTeams } from './teams.ts'

export const startDemo: StartDemo = async (company) => {
  const sandbox = await startTeams({ company })
  const { url, domain, clientId, clientSecret } = sandbox
  return {
    id: 'teams',
    url,
    form: { tenant: domain, client_id: clientId, client_secret: clientSecret },
    app: { credentials: { client_id: clientId, client_secret: clientSecret }, signIn: { tenant: domain } },
    post: (message) => sandbox.post(message),
    stop: () => sandbox.stop(),
  }
}
