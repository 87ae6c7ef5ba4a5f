import { formatMoment } from '../../../../ui/text/moment.ts'
import { relativeTime } from '../../relative-time.ts'
import type { TableColumn } from './column.ts'

const className = 'px-2 whitespace-nowrap'

/** How long ago the insight last changed. */
export const updatedColumn = {
  id: 'last_updated',
  label: 'Updated',
  hideable: false,
  header: `${className} w-24`,
  className: `${className} text-muted tabular-nums`,
  cell: ({ insight }) => (
    <time dateTime={insight.last_updated} title={formatMoment(insight.last_updated)}>
      {relativeTime(insight.last_updated, Date.now())}
    </time>
  ),
} as const satisfies TableColumn
