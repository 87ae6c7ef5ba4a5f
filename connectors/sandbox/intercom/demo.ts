import type { StartDemo } from '../demo-provider.ts'
import { startIntercom } from './intercom.ts'

export const startDemo: StartDemo = async (company) => {
  const sandbox = await startIntercom({ company })
  const { url, accessToken } = sandbox
  return { id: 'intercom', url, form: { region: 'us', access_token: accessToken }, stop: () => sandbox.stop() }
}
