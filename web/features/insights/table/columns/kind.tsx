import { KindBadge } from '../../kinds/kind-badge.tsx'
import { kindLabel } from '../../kinds/kind-words.ts'
import type { TableColumn } from './column.ts'

const className = 'hidden px-2 sm:table-cell'

export const kindColumn = {
  id: 'main_kind',
  label: 'Kind',
  hideable: true,
  sort: (insight) => (insight.main_kind ? kindLabel(insight.main_kind) : null),
  header: `${className} w-28`,
  className,
  cell: ({ insight }) => (insight.main_kind ? <KindBadge kind={insight.main_kind} /> : null),
} as const satisfies TableColumn
