import type { StartDemo } from '../demo-provider.ts'
import { startHelpScout } from './helpscout.ts'

export const startDemo: StartDemo = async (company) => {
  const sandbox = await startHelpScout({ company })
  const { url, clientId, clientSecret } = sandbox
  return {
    id: 'helpscout',
    url,
    form: { app_id: clientId, app_secret: clientSecret },
    app: {
      credentials: { client_id: clientId, client_secret: clientSecret },
      signIn: {},
      registerReturn: (returnTo) => sandbox.setRedirectUrl(returnTo),
    },
    stop: () => sandbox.stop(),
  }
}
