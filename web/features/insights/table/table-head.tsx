import clsx from 'clsx'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { isTagColumn } from './columns/tag.tsx'
import { nextSort, type Sort } from './sort.ts'
import { type ShownColumn, type ShownColumns, TAG_WIDTH_PX } from './table-columns.ts'

/** A line below the head; a border would not stick with it. */
const LINE = 'shadow-[inset_0_-1px_0_var(--line)]'

type TableHeadProps = { columns: ShownColumns; sort: Sort; onSort: (sort: Sort) => void }

/** The column names. Each is a button that sorts. */
export function TableHead({ columns, sort, onSort }: TableHeadProps) {
  const head = (column: ShownColumn) => <HeadCell key={column.id} column={column} sort={sort} onSort={onSort} />
  return (
    <thead className="sticky top-0 z-10 bg-surface">
      <tr className={clsx(LINE, 'bg-surface text-left text-small text-muted')}>
        {columns.leading.map(head)}
        {columns.tagsBefore > 0 ? <td aria-hidden style={{ width: columns.tagsBefore * TAG_WIDTH_PX }} /> : null}
        {columns.tags.map(head)}
        {columns.tagsAfter > 0 ? <td aria-hidden style={{ width: columns.tagsAfter * TAG_WIDTH_PX }} /> : null}
        {columns.trailing.map(head)}
        <th scope="col" className="w-12">
          <span className="sr-only">Actions</span>
        </th>
      </tr>
    </thead>
  )
}

type HeadCellProps = { column: ShownColumn; sort: Sort; onSort: (sort: Sort) => void }

function HeadCell({ column, sort, onSort }: HeadCellProps) {
  const chosen = sort.column === column.id
  const Arrow = sort.descending ? ArrowDown : ArrowUp
  return (
    <th
      scope="col"
      aria-sort={chosen ? (sort.descending ? 'descending' : 'ascending') : 'none'}
      className={clsx('h-9 font-medium', column.header)}
    >
      <button
        type="button"
        onClick={() => onSort(nextSort(sort, column.id))}
        className={clsx(
          '-mx-1 inline-flex h-6 max-w-full items-center gap-1 rounded-small px-1 hover:text-text',
          chosen && 'text-text',
        )}
      >
        <span dir={isTagColumn(column.id) ? 'auto' : undefined} className="truncate">
          {column.label}
        </span>
        {chosen ? <Arrow size={12} aria-hidden className="shrink-0" /> : null}
      </button>
    </th>
  )
}
