import type { StartDemo } from '../demo-provider.ts'
import { isClosed } from './account.ts'
import { startAzure } from './azure.ts'

export const startDemo: StartDemo = async () => {
  const sandbox = await startAzure()
  const { url, account, signIns } = sandbox
  return {
    id: 'azure',
    url,
    form: { organization: account.organisation, pat: signIns.pat },
    app: {
      credentials: { tenant: signIns.tenant, client_id: signIns.clientId, client_secret: signIns.clientSecret },
      signIn: {},
    },
    board: {
      cards: () =>
        account.items
          .filter(({ deleted }) => !deleted)
          .map((item) => ({
            id: String(item.id),
            label: `#${item.id}`,
            title: String(item.fields['System.Title']),
            open: !isClosed(item),
          })),
      close: (id) => sandbox.setState(Number(id), 'Done'),
      reopen: (id) => sandbox.setState(Number(id), 'Doing'),
    },
    stop: () => sandbox.stop(),
  }
}
