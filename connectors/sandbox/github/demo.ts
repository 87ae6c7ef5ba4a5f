import type { StartDemo } from '../demo-provider.ts'
import { startGitHub } from './github.ts'

export const startDemo: StartDemo = async () => {
  const { url, hub, signIns, setState, stop } = await startGitHub()
  return {
    id: 'github',
    url,
    form: { token: signIns.token },
    board: {
      cards: () =>
        hub.repositories.flatMap(({ owner, name, issues }) =>
          issues.map(({ id, number, title, state }) => ({
            id: String(id),
            label: `${owner}/${name}#${number}`,
            title,
            open: state === 'open',
          })),
        ),
      close: (id) => setState(id, 'closed', 'completed'),
      reopen: (id) => setState(id, 'open', 'reopened'),
    },
    stop,
  }
}
