import type { Insight } from '@groundswell/contract/insights.ts'
import { useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, useCallback, useMemo, useRef, useState } from 'react'
import { FILTER_PARTS } from '../filters/filter.ts'
import type { TableColumn } from '../table/columns/column.ts'
import { COLUMNS_AFTER_TAGS, COLUMNS_BEFORE_TAGS } from '../table/columns/index.ts'
import { tagColumn } from '../table/columns/tag.tsx'
import { InsightRow } from '../table/insight-row.tsx'
import { InsightsTable } from '../table/insights-table.tsx'
import { MIN_WIDTH_PX, type ShownColumns, TAG_WIDTH_PX } from '../table/table-columns.ts'
import { TableHead } from '../table/table-head.tsx'
import { RowGap, useTableRows } from '../table/table-rows.tsx'
import * as actions from './theme-actions.ts'
import { ThemeDialog } from './theme-dialog.tsx'
import { linesOf, REST, type Section, sectionsOf } from './theme-lines.ts'
import { ThemeRow } from './theme-row.tsx'
import { useThemes } from './themes-query.ts'
import { useThemeKeys } from './use-theme-keys.ts'

/** The table with a line for each theme, which opens to its insights. Without themes, the table as it is. */
export function ThemedTable(props: ComponentProps<typeof InsightsTable>) {
  const { insights, list, busy, isShown, tags, sort, onSort, open, added, onOpen, onPush, onDelete } = props
  const client = useQueryClient()
  const themes = useThemes()
  const scroller = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState(-1)
  const [moving, setMoving] = useState<Insight | null>(null)
  /** What was opened or closed by hand. While words are searched, every theme is open at first. */
  const [opened, setOpened] = useState<ReadonlyMap<number, boolean>>(new Map())
  const { isSearch, isFiltered } = useMemo(() => {
    const parts = new URLSearchParams(list)
    return {
      isSearch: parts.has(FILTER_PARTS.words),
      isFiltered: Object.values(FILTER_PARTS).some((part) => parts.has(part)),
    }
  }, [list])
  const isOpen = useCallback(({ id }: Section) => opened.get(id) ?? (isSearch || id === REST), [opened, isSearch])
  const sections = useMemo(
    () => sectionsOf(insights, themes ?? [], sort, !isFiltered),
    [insights, themes, sort, isFiltered],
  )
  const lines = useMemo(() => linesOf(sections, isOpen), [sections, isOpen])
  const toggle = (section: Section, now: boolean) => setOpened((old) => new Map(old).set(section.id, !now))
  const columns = useMemo<ShownColumns>(() => {
    const isVisible = (column: TableColumn) => !column.hideable || isShown(column.id as Parameters<typeof isShown>[0])
    const parts = {
      leading: COLUMNS_BEFORE_TAGS.filter(isVisible),
      tags: tags.map(tagColumn),
      trailing: COLUMNS_AFTER_TAGS.filter(isVisible),
    }
    const ids = new Set([...parts.leading, ...parts.tags, ...parts.trailing].map((column) => column.id))
    return { ...parts, tagsBefore: 0, tagsAfter: 0, ids }
  }, [isShown, tags])

  useThemeKeys({
    lines,
    active,
    onMove: (to) => {
      setActive(to)
      const line = lines[to]
      if (open !== null && line?.kind === 'insight') onOpen(line.insight)
    },
    onToggle: ({ section, isOpen: now }) => toggle(section, now),
  })
  const { first, last } = useTableRows(scroller, lines.length, active)
  if (!themes) return <InsightsTable {...props} />

  return (
    <>
      <div ref={scroller} className="h-full overflow-auto border-t border-line bg-surface [overflow-anchor:none]">
        <table
          aria-label="Insights by theme"
          aria-busy={busy || undefined}
          aria-rowcount={lines.length + 1}
          style={tags.length > 0 ? { minWidth: MIN_WIDTH_PX + tags.length * TAG_WIDTH_PX } : undefined}
          className="w-full table-fixed border-collapse"
        >
          <TableHead columns={columns} sort={sort} onSort={onSort} />
          <tbody>
            <RowGap rows={first} />
            {lines.slice(first, last + 1).map((line, place) => {
              const index = first + place
              return line.kind === 'section' ? (
                <ThemeRow
                  key={`theme ${line.section.id}`}
                  section={line.section}
                  index={index}
                  columns={columns}
                  isOpen={line.isOpen}
                  isActive={index === active}
                  onToggle={() => {
                    setActive(-1)
                    toggle(line.section, line.isOpen)
                  }}
                  onRename={(name) => void actions.rename(client, line.section, name)}
                  onRemove={() => void actions.remove(client, line.section)}
                />
              ) : (
                <InsightRow
                  key={line.insight.issue_number}
                  insight={line.insight}
                  index={index}
                  columns={columns}
                  isOpen={line.insight.issue_number === open}
                  isActive={index === active}
                  added={added.get(line.insight.issue_number) ?? 0}
                  isNested
                  onOpen={onOpen}
                  onPush={onPush}
                  onDelete={onDelete}
                  onMoveToTheme={setMoving}
                />
              )
            })}
            <RowGap rows={lines.length - 1 - last} />
          </tbody>
        </table>
      </div>
      {moving ? (
        <ThemeDialog
          insight={moving}
          themes={themes}
          onClose={() => setMoving(null)}
          onChoose={(to) => {
            setMoving(null)
            void actions.move(client, moving, to)
          }}
        />
      ) : null}
    </>
  )
}
