import { mentionCount } from '@groundswell/contract/insight-order.ts'
import { peopleText } from '../../mention-words.ts'
import { AddedCount } from '../added-count.tsx'
import type { TableColumn } from './column.ts'

const className = 'hidden px-2 whitespace-nowrap tabular-nums md:table-cell'

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
      {insight.people_count === undefined ? null : (
        <span className="text-small text-muted"> · {peopleText(insight.people_count)}</span>
      )}
    </>
  ),
} as const satisfies TableColumn
