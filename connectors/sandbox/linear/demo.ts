import type { StartDemo } from '../demo-provider.ts'
import { startLinear } from './linear.ts'

const CLOSED = ['completed', 'canceled', 'duplicate']

export const startDemo: StartDemo = async () => {
  const { url, workspace, signIns, setState, stop } = await startLinear()
  return {
    id: 'linear',
    url,
    form: { api_key: signIns.apiKey },
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
      close: (id) => setState(id, 'completed'),
      reopen: (id) => setState(id, 'started'),
    },
    stop,
  }
}
