import { StatusBadge } from '../../status-badge.tsx'
import type { TableColumn } from './column.ts'

const className = 'hidden px-2 sm:table-cell'

/** The status of the insight, as a badge. */
export const statusColumn = {
  id: 'status',
  label: 'Status',
  hideable: true,
  header: `${className} w-28`,
  className,
  cell: ({ insight }) => <StatusBadge status={insight.status} />,
} as const satisfies TableColumn
