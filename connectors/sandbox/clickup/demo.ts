import type { StartDemo } from '../demo-provider.ts'
import { startClickUp } from './clickup.ts'

const CLOSED = ['done', 'closed']

export const startDemo: StartDemo = async () => {
  const { url, account, signIns, setStatus, stop } = await startClickUp()
  return {
    id: 'clickup',
    url,
    form: { token: signIns.apiToken },
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
      close: (id) => setStatus(id, 'closed'),
      reopen: (id) => setStatus(id, 'open'),
    },
    stop,
  }
}
