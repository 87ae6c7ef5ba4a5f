import type { Insight } from '@groundswell/contract/insights.ts'
import clsx from 'clsx'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { ROW_HEIGHT_PX, VIRTUAL_ROWS_FROM } from '../../ui/constants.ts'
import { useRowsInView } from '../../ui/use-rows-in-view.ts'
import { InsightRow } from './insight-row.tsx'
import { nextSort, type Sort, type SortColumn } from './sort.ts'

/** The header stays in view over the rows. */
const HEADER_HEIGHT_PX = 36

const COLUMNS: readonly { column: SortColumn; label: string; className: string }[] = [
  { column: 'issue_name', label: 'Name', className: 'pl-4 md:pl-6' },
  { column: 'status', label: 'Status', className: 'hidden w-28 sm:table-cell' },
  { column: 'mentions', label: 'Mentions', className: 'hidden w-36 md:table-cell' },
  { column: 'trend', label: 'Trend', className: 'hidden w-28 lg:table-cell' },
  { column: 'last_updated', label: 'Updated', className: 'w-18 sm:w-24' },
]

type InsightsTableProps = {
  insights: readonly Insight[]
  sort: Sort
  onSort: (sort: Sort) => void
  /** The row the keyboard is on, by its place in the list; -1 for none. */
  active: number
  open: number | null
  onOpen: (insight: Insight) => void
  onPush: (insight: Insight) => void
  onDelete: (insight: Insight) => void
}

/** The table. Beyond a hundred rows only those in view are in the document. */
export function InsightsTable({ insights, sort, onSort, active, open, onOpen, onPush, onDelete }: InsightsTableProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const windowed = insights.length > VIRTUAL_ROWS_FROM
  const inView = useRowsInView(scroller, ROW_HEIGHT_PX, insights.length)
  const first = windowed ? inView.first : 0
  const last = windowed ? Math.min(inView.last, insights.length - 1) : insights.length - 1

  useEffect(() => {
    const box = scroller.current
    if (!box || active < 0) return
    const top = active * ROW_HEIGHT_PX
    const lowest = top + ROW_HEIGHT_PX + HEADER_HEIGHT_PX - box.clientHeight
    if (top < box.scrollTop) box.scrollTop = top
    else if (lowest > box.scrollTop) box.scrollTop = lowest
  }, [active])

  const row = (index: number) => {
    const insight = insights[index]
    return insight ? (
      <InsightRow
        key={insight.issue_number}
        insight={insight}
        index={index}
        isOpen={insight.issue_number === open}
        isActive={index === active}
        onOpen={onOpen}
        onPush={onPush}
        onDelete={onDelete}
      />
    ) : null
  }

  return (
    <div ref={scroller} className="h-full overflow-auto border-t border-line bg-surface">
      <table className="w-full table-fixed border-collapse" aria-rowcount={insights.length + 1}>
        <thead className="sticky top-0 z-10 bg-surface">
          <tr className="text-left text-small text-muted shadow-[inset_0_-1px_0_var(--line)]">
            {COLUMNS.map(({ column, label, className }) => (
              <th
                key={column}
                scope="col"
                aria-sort={sort.column === column ? (sort.descending ? 'descending' : 'ascending') : 'none'}
                className={clsx('h-9 font-medium', column !== 'issue_name' && 'px-2', className)}
              >
                <button
                  type="button"
                  onClick={() => onSort(nextSort(sort, column))}
                  className={clsx(
                    '-mx-1 inline-flex h-6 items-center gap-1 rounded-small px-1 hover:text-text',
                    sort.column === column && 'text-text',
                  )}
                >
                  {label}
                  {sort.column === column ? (
                    sort.descending ? (
                      <ArrowDown size={12} aria-hidden />
                    ) : (
                      <ArrowUp size={12} aria-hidden />
                    )
                  ) : null}
                </button>
              </th>
            ))}
            <th scope="col" className="w-12">
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {first > 0 ? <Gap rows={first} /> : null}
          {insights.slice(first, last + 1).map((_, place) => row(first + place))}
          {last < insights.length - 1 ? <Gap rows={insights.length - 1 - last} /> : null}
        </tbody>
      </table>
    </div>
  )
}

/** The room of rows that are not in the document. */
function Gap({ rows }: { rows: number }) {
  return (
    <tr aria-hidden>
      <td style={{ height: rows * ROW_HEIGHT_PX }} />
    </tr>
  )
}
