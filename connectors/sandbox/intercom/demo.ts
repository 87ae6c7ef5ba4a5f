import type { StartDemo } from '../demo-provider.ts'
import { startIntercom } from './intercom.ts'

export const startDemo: StartDemo = async (company) => {
  const { url, accessToken, stop } = await startIntercom({ company })
  return { id: 'intercom', url, form: { region: 'us', access_token: accessToken }, stop }
}
