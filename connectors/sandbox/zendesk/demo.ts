import type { StartDemo } from '../demo-provider.ts'
import { startZendesk } from './zendesk.ts'

export const startDemo: StartDemo = async (company) => {
  const sandbox = await startZendesk({ company })
  const { url, subdomain, email, apiToken, clientId, clientSecret } = sandbox
  return {
    id: 'zendesk',
    url,
    form: { subdomain, email, api_token: apiToken },
    app: { credentials: { client_id: clientId, client_secret: clientSecret }, signIn: { subdomain } },
    stop: () => sandbox.stop(),
  }
}
