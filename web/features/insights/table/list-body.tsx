import type { ComponentProps, ComponentType } from 'react'
import { lazyPart } from '../../../ui/loading/lazy-part.tsx'
import { TableSkeleton } from '../../../ui/table/table-skeleton.tsx'
import { InsightsTable } from './insights-table.tsx'

const NothingToShow = lazyPart(async () => (await import('./nothing-to-show.tsx')).NothingToShow)

type ListBodyProps = {
  loading: boolean
  table: ComponentProps<typeof InsightsTable>
  /** Another form of the table. */
  Table?: ComponentType<ComponentProps<typeof InsightsTable>>
  empty: ComponentProps<typeof NothingToShow>
}

/** The table, or its placeholder while it loads and when it is empty. */
export function ListBody({ loading, table, Table = InsightsTable, empty }: ListBodyProps) {
  if (loading) {
    return (
      <div className="border-t border-line bg-surface">
        <TableSkeleton label="Insights" columns={['Name', 'Status', 'Updated']} />
      </div>
    )
  }
  return table.insights.length > 0 ? <Table {...table} /> : <NothingToShow {...empty} />
}
