import { mentionCount } from '@groundswell/contract/insights/insight-order.ts'
import { saidByText } from '../../mention-words.ts'
import { AddedCount } from '../added-count.tsx'
import type { TableColumn } from './column.ts'

const className = 'hidden px-2 whitespace-nowrap tabular-nums md:table-cell'

/** How many mentions there are, how many were added, and by how many people. */
export const mentionsColumn = {
  id: 'mentions',
  label: 'Mentions',
  hideable: true,
  header: `${className} w-36`,
  className,
  cell: ({ insight, added }) => (
    <>
      {mentionCount(insight)}
      <AddedCount added={added} />
      {saidByText(insight) ? <span className="text-small text-muted"> · {saidByText(insight)}</span> : null}
    </>
  ),
} as const satisfies TableColumn
