import type { StartDemo } from '../demo-provider.ts'
import { startZendesk } from './zendesk.ts'

export const startDemo: StartDemo = async (company) => {
  const { url, subdomain, email, apiToken, stop } = await startZendesk({ company })
  return { id: 'zendesk', url, form: { subdomain, email, api_token: apiToken }, stop }
}
