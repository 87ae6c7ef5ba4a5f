import type { Insight } from '@groundswell/contract/insights.ts'
import { type ReactNode, useLayoutEffect, useMemo, useRef } from 'react'
import type { HideableColumn } from './column-choice.ts'
import type { TableColumn } from './columns/column.ts'
import { COLUMNS, COLUMNS_AFTER_TAGS, COLUMNS_BEFORE_TAGS } from './columns/index.ts'
import { tagColumn } from './columns/tag.tsx'
import { InsightRow } from './insight-row.tsx'
import { keepScroll, readScroll } from './scroll-memory.ts'
import type { Sort } from './sort.ts'
import { AFTER_TAGS_PX, FEW_TAGS, MIN_WIDTH_PX, type ShownColumns, TAG_WIDTH_PX } from './table-columns.ts'
import { TableHead } from './table-head.tsx'
import { RowGap, useTableRows } from './table-rows.tsx'
import { useColumnsInView } from './use-columns-in-view.ts'

type InsightsTableProps = {
  insights: readonly Insight[]
  /** The identity of this list: its filter and order. A change scrolls to the top. */
  list: string
  busy: boolean
  isShown: (column: HideableColumn) => boolean
  /** The tags that have a column. */
  tags: readonly string[]
  sort: Sort
  onSort: (sort: Sort) => void
  /** The keyboard's active row, by its index in the list; -1 for none. */
  active: number
  open: number | null
  /** How many mentions arrived since the last visit, by issue number. */
  added: ReadonlyMap<number, number>
  /** Below the last row. */
  after: ReactNode
  onOpen: (insight: Insight) => void
  onPush: (insight: Insight) => void
  onDelete: (insight: Insight) => void
}

/** The table. Of a long list only the rows in view are in the document, and of many tags only the columns in view. */
export function InsightsTable(props: InsightsTableProps) {
  const { insights, list, busy, isShown, tags, sort, onSort, active, open, added, after, onOpen, onPush, onDelete } =
    props
  const scroller = useRef<HTMLDivElement>(null)
  const shownList = useRef<string>(null)
  useLayoutEffect(() => {
    const box = scroller.current
    if (!box) return
    if (shownList.current === null) box.scrollTop = readScroll(list)
    else if (shownList.current !== list) box.scrollTop = 0
    shownList.current = list
    const keep = () => keepScroll(list, box.scrollTop)
    window.addEventListener('pagehide', keep)
    return () => {
      window.removeEventListener('pagehide', keep)
      keep()
    }
  }, [list])
  const { first, last } = useTableRows(scroller, insights.length, active)
  const { first: firstTag, last: lastTag } = useColumnsInView(scroller, {
    count: tags.length,
    few: FEW_TAGS,
    width: TAG_WIDTH_PX,
    after: AFTER_TAGS_PX,
  })
  const hidden = COLUMNS.filter((column) => column.hideable && !isShown(column.id))
    .map((column) => column.id)
    .join()
  const columns = useMemo<ShownColumns>(() => {
    const isVisible = (column: TableColumn) => !hidden.split(',').includes(column.id)
    const parts = {
      leading: COLUMNS_BEFORE_TAGS.filter(isVisible),
      tags: tags.slice(firstTag, lastTag + 1).map(tagColumn),
      trailing: COLUMNS_AFTER_TAGS.filter(isVisible),
    }
    return {
      ...parts,
      tagsBefore: firstTag,
      tagsAfter: tags.length - 1 - lastTag,
      ids: new Set([...parts.leading, ...parts.tags, ...parts.trailing].map((column) => column.id)),
    }
  }, [hidden, tags, firstTag, lastTag])

  return (
    <div ref={scroller} className="h-full overflow-auto border-t border-line bg-surface [overflow-anchor:none]">
      <table
        aria-label="Insights"
        aria-busy={busy || undefined}
        aria-rowcount={insights.length + 1}
        style={tags.length > 0 ? { minWidth: MIN_WIDTH_PX + tags.length * TAG_WIDTH_PX } : undefined}
        className="w-full table-fixed border-collapse"
      >
        <TableHead columns={columns} sort={sort} onSort={onSort} />
        <tbody>
          <RowGap rows={first} />
          {insights.slice(first, last + 1).map((insight, place) => (
            // By index: another order changes the contents of rows, and moves none.
            <InsightRow
              key={first + place}
              insight={insight}
              index={first + place}
              columns={columns}
              isOpen={insight.issue_number === open}
              isActive={first + place === active}
              added={added.get(insight.issue_number) ?? 0}
              onOpen={onOpen}
              onPush={onPush}
              onDelete={onDelete}
            />
          ))}
          <RowGap rows={insights.length - 1 - last} />
        </tbody>
      </table>
      {after}
    </div>
  )
}
