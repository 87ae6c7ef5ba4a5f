import type { StartDemo } from '../demo-provider.ts'
import { isClosed } from './account.ts'
import { startAzure } from './azure.ts'

export const startDemo: StartDemo = async () => {
  const { url, account, signIns, setState, stop } = await startAzure()
  return {
    id: 'azure',
    url,
    form: { organization: account.organisation, pat: signIns.pat },
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
      close: (id) => setState(Number(id), 'Done'),
      reopen: (id) => setState(Number(id), 'Doing'),
    },
    stop,
  }
}
