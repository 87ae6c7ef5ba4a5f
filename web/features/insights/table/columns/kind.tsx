import { lazyExtra } from '../../../../ui/loading/lazy-part.tsx'
import type { TableColumn } from './column.ts'

// The column is hidden at first.
const KindBadge = lazyExtra(async () => (await import('../../kinds/kind-badge.tsx')).KindBadge)

const className = 'hidden px-2 sm:table-cell'

/** The kind of most mentions; empty where none is clear. */
export const kindColumn = {
  id: 'main_kind',
  label: 'Kind',
  hideable: true,
  header: `${className} w-28`,
  className,
  cell: ({ insight }) => (insight.main_kind ? <KindBadge kind={insight.main_kind} /> : null),
} as const satisfies TableColumn
