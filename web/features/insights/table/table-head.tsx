import clsx from 'clsx'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { nextSort, type Sort, type SortColumn } from './sort.ts'
import { type ShownColumns, TAG_WIDTH_PX } from './table-columns.ts'

/** How the columns of the table stand: shared by its head and its rows. */
export const CELL = {
  issue_name: 'bg-inherit px-2 pl-4 md:sticky md:left-0 md:z-1 md:pl-6',
  status: 'hidden px-2 sm:table-cell',
  mentions: 'hidden px-2 whitespace-nowrap tabular-nums md:table-cell',
  trend: 'hidden px-2 lg:table-cell',
  tag: 'px-2',
  last_updated: 'px-2 whitespace-nowrap',
} as const

/** A line below the head; a border would stay behind when the head sticks. */
const LINE = 'shadow-[inset_0_-1px_0_var(--line)]'

type TableHeadProps = { columns: ShownColumns; sort: Sort; onSort: (sort: Sort) => void }

/** The column names. Each is a button that sorts. */
export function TableHead({ columns, sort, onSort }: TableHeadProps) {
  const head = (column: SortColumn, label: string, className: string) => (
    <HeadCell key={column} column={column} label={label} className={className} sort={sort} onSort={onSort} />
  )
  return (
    <thead className="sticky top-0 z-10 bg-surface">
      <tr className={clsx(LINE, 'bg-surface text-left text-small text-muted')}>
        {head('issue_name', 'Name', clsx(CELL.issue_name, LINE))}
        {columns.status ? head('status', 'Status', clsx(CELL.status, 'w-28')) : null}
        {columns.mentions ? head('mentions', 'Mentions', clsx(CELL.mentions, 'w-36')) : null}
        {columns.trend ? head('trend', 'Trend', clsx(CELL.trend, 'w-32')) : null}
        {columns.before > 0 ? <td aria-hidden style={{ width: columns.before * TAG_WIDTH_PX }} /> : null}
        {columns.tags.map((tag) => head(`tag:${tag}`, tag, clsx(CELL.tag, 'w-32')))}
        {columns.behind > 0 ? <td aria-hidden style={{ width: columns.behind * TAG_WIDTH_PX }} /> : null}
        {head('last_updated', 'Updated', clsx(CELL.last_updated, 'w-24'))}
        <th scope="col" className="w-12">
          <span className="sr-only">Actions</span>
        </th>
      </tr>
    </thead>
  )
}

type HeadCellProps = { column: SortColumn; label: string; className: string; sort: Sort; onSort: (sort: Sort) => void }

function HeadCell({ column, label, className, sort, onSort }: HeadCellProps) {
  const chosen = sort.column === column
  const Arrow = sort.descending ? ArrowDown : ArrowUp
  return (
    <th
      scope="col"
      aria-sort={chosen ? (sort.descending ? 'descending' : 'ascending') : 'none'}
      className={clsx('h-9 font-medium', className)}
    >
      <button
        type="button"
        onClick={() => onSort(nextSort(sort, column))}
        className={clsx(
          '-mx-1 inline-flex h-6 max-w-full items-center gap-1 rounded-small px-1 hover:text-text',
          chosen && 'text-text',
        )}
      >
        <span dir={column.startsWith('tag:') ? 'auto' : undefined} className="truncate">
          {label}
        </span>
        {chosen ? <Arrow size={12} aria-hidden className="shrink-0" /> : null}
      </button>
    </th>
  )
}
