import type { StartDemo } from '../demo-provider.ts'
import { startHelpScout } from './helpscout.ts'

export const startDemo: StartDemo = async (company) => {
  const { url, clientId, clientSecret, stop } = await startHelpScout({ company })
  return { id: 'helpscout', url, form: { app_id: clientId, app_secret: clientSecret }, stop }
}
