import type { StartDemo } from '../demo-provider.ts'
import { startJira } from './jira.ts'

export const startDemo: StartDemo = async () => {
  const sandbox = await startJira()
  const { url, sites, signIns } = sandbox
  const [site] = sites
  return {
    id: 'jira',
    url,
    form: { host: site.host, email: signIns.email, api_token: signIns.apiToken },
    app: { credentials: { client_id: signIns.clientId, client_secret: signIns.clientSecret }, signIn: {} },
    board: {
      cards: () =>
        site.issues
          .filter(({ visible }) => visible)
          .map(({ id, key, fields, status }) => ({
            id,
            label: key,
            title: String(fields.summary),
            open: status.category !== 'done',
          })),
      close: (id) => sandbox.close(id),
      reopen: (id) => sandbox.reopen(id),
    },
    stop: () => sandbox.stop(),
  }
}
