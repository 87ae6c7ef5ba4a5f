import type { StartDemo } from '../demo-provider.ts'
import { startLinear } from './linear.ts'

const CLOSED = ['completed', 'canceled', 'duplicate']

export const startDemo: StartDemo = async () => {
  const sandbox = await startLinear()
  const { url, workspace, signIns } = sandbox
  return {
    id: 'linear',
    url,
    form: { api_key: signIns.apiKey },
    app: { credentials: { client_id: signIns.clientId, client_secret: signIns.clientSecret }, signIn: {} },
    board: {
      cards: () =>
        workspace.issues
          .filter(({ trashed }) => !trashed)
          .map(({ id, identifier, title, state }) => ({
            id,
            label: identifier,
            title,
            open: !CLOSED.includes(state.type),
          })),
      close: (id) => sandbox.setState(id, 'completed'),
      reopen: (id) => sandbox.setState(id, 'started'),
    },
    stop: () => sandbox.stop(),
  }
}
