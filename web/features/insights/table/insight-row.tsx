import type { Insight } from '@groundswell/contract/insights.ts'
import clsx from 'clsx'
import { memo } from 'react'
import type { TableColumn } from './columns/column.ts'
import { RowMenu } from './row-menu.tsx'
import type { ShownColumns } from './table-columns.ts'

type InsightRowProps = {
  insight: Insight
  index: number
  columns: ShownColumns
  isOpen: boolean
  isActive: boolean
  added: number
  onOpen: (insight: Insight) => void
  onPush: (insight: Insight) => void
  onDelete: (insight: Insight) => void
  /** It is below the heading of a theme. */
  isNested?: boolean
  onMoveToTheme?: ((insight: Insight) => void) | undefined
}

/** One insight of the table. The whole row opens it; for keys and assistive tools its name is the button. */
export const InsightRow = memo(function InsightRow(props: InsightRowProps) {
  const { insight, index, columns, isOpen, isActive, added, onOpen, onPush, onDelete, isNested, onMoveToTheme } = props
  const cell = (column: TableColumn) => (
    <td key={column.id} className={column.className}>
      {column.cell({ insight, index, isOpen, isActive, added, shown: columns.ids })}
    </td>
  )
  return (
    <tr
      data-keeps-panel
      aria-rowindex={index + 2}
      onClick={() => onOpen(insight)}
      className={clsx(
        'h-11 cursor-pointer border-b border-line has-checked:bg-selected',
        isNested && '[&>td:first-child]:pl-9.5! md:[&>td:first-child]:pl-11.5!',
        isOpen ? 'bg-selected' : isActive ? 'bg-hover' : 'bg-surface hover:bg-hover',
      )}
    >
      {columns.leading.map(cell)}
      {columns.tagsBefore > 0 ? <td /> : null}
      {columns.tags.map(cell)}
      {columns.tagsAfter > 0 ? <td /> : null}
      {columns.trailing.map(cell)}
      <td className="pr-2 text-right" onClick={(event) => event.stopPropagation()}>
        <RowMenu
          key={insight.issue_number}
          insight={insight}
          onPush={onPush}
          onDelete={onDelete}
          onMoveToTheme={onMoveToTheme}
        />
      </td>
    </tr>
  )
})
