import type { StartDemo } from '../demo-provider.ts'
import { startClickUp } from './clickup.ts'

const CLOSED = ['done', 'closed']

export const startDemo: StartDemo = async () => {
  const sandbox = await startClickUp()
  const { url, account, signIns } = sandbox
  return {
    id: 'clickup',
    url,
    form: { token: signIns.apiToken },
    app: { credentials: { client_id: signIns.clientId, client_secret: signIns.clientSecret }, signIn: {} },
    board: {
      cards: () =>
        account.tasks
          .filter(({ deleted }) => !deleted)
          .map(({ id, customId, name, status }) => ({
            id,
            label: customId ?? id,
            title: name,
            open: !CLOSED.includes(status.type),
          })),
      close: (id) => sandbox.setStatus(id, 'closed'),
      reopen: (id) => sandbox.setStatus(id, 'open'),
    },
    stop: () => sandbox.stop(),
  }
}
