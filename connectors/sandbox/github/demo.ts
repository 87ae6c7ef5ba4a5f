import type { StartDemo } from '../demo-provider.ts'
import { startGitHub } from './github.ts'

export const startDemo: StartDemo = async () => {
  const sandbox = await startGitHub()
  const { url, hub, signIns } = sandbox
  return {
    id: 'github',
    url,
    form: { token: signIns.token },
    app: {
      credentials: signIns.app(),
      signIn: { installed_on: '' },
      registerReturn: (returnTo) => {
        signIns.callbackUrl = returnTo
      },
    },
    board: {
      cards: () =>
        hub.repositories.flatMap(({ owner, name, issues }) =>
          issues.map(({ id, number, title, state }) => ({
            id: String(id),
            label: `${owner.login}/${name}#${number}`,
            title,
            open: state === 'open',
          })),
        ),
      close: (id) => sandbox.setState(id, 'closed', 'completed'),
      reopen: (id) => sandbox.setState(id, 'open', 'reopened'),
    },
    stop: () => sandbox.stop(),
  }
}
