import type { StartDemo } from '../demo-provider.ts'
import { startIntercom } from './intercom.ts'

export const startDemo: StartDemo = async (company) => {
  const sandbox = await startIntercom({ company })
  const { url, accessToken, clientId, clientSecret } = sandbox
  return {
    id: 'intercom',
    url,
    form: { region: 'us', access_token: accessToken },
    app: { credentials: { client_id: clientId, client_secret: clientSecret }, signIn: { region: 'us' } },
    stop: () => sandbox.stop(),
  }
}
