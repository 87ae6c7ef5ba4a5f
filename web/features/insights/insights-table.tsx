import type { Insight } from '@groundswell/contract/insights.ts'
import clsx from 'clsx'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { VIRTUAL_ROWS_FROM } from '../../ui/constants.ts'
import { InsightRow } from './insight-row.tsx'
import { nextSort, type Sort, type SortColumn } from './sort.ts'

/** Rows shown while what draws a long list is fetched. */
const FIRST_ROWS = 30

const COLUMNS: readonly { column: SortColumn; label: string; className: string }[] = [
  { column: 'issue_name', label: 'Name', className: 'md:pl-6' },
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

const VirtualRows = lazy(async () => ({ default: (await import('./virtual-rows.tsx')).VirtualRows }))

/** The table. Beyond a hundred rows only those in view are in the document. */
export function InsightsTable({ insights, sort, onSort, active, open, onOpen, onPush, onDelete }: InsightsTableProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = insights.length > VIRTUAL_ROWS_FROM

  useEffect(() => {
    if (active < 0) return
    const frame = requestAnimationFrame(() => {
      scroller.current?.querySelector<HTMLElement>(`[data-row="${active}"]`)?.focus()
    })
    return () => cancelAnimationFrame(frame)
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
                className={clsx('h-9 px-2 font-medium first:pl-4', className)}
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
          {virtual ? (
            <Suspense fallback={insights.slice(0, FIRST_ROWS).map((_, index) => row(index))}>
              <VirtualRows scroller={scroller} count={insights.length} active={active} row={row} />
            </Suspense>
          ) : (
            insights.map((_, index) => row(index))
          )}
        </tbody>
      </table>
    </div>
  )
}
