import clsx from 'clsx'
import { ChevronDown, ChevronRight, Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { IconButton } from '../../../ui/button.tsx'
import { Input } from '../../../ui/field.tsx'
import { Menu } from '../../../ui/overlays/menu.tsx'
import { Sparkline } from '../../../ui/table/sparkline.tsx'
import { mentionsText, trendText } from '../mention-words.ts'
import { updatedColumn } from '../table/columns/updated.tsx'
import type { ShownColumn, ShownColumns } from '../table/table-columns.ts'
import { insightsText } from './theme-dialog.tsx'
import { REST, type Section } from './theme-lines.ts'

type ThemeRowProps = {
  section: Section
  index: number
  columns: ShownColumns
  isOpen: boolean
  isActive: boolean
  onToggle: () => void
  onRename: (name: string) => void
  onRemove: () => void
}

/** The heading of a theme: how many insights and mentions it has, and their trend. The whole row opens and closes it. */
export function ThemeRow({ section, index, columns, isOpen, isActive, onToggle, onRename, onRemove }: ThemeRowProps) {
  const [renaming, setRenaming] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isActive) opener.current?.focus({ preventScroll: true })
  }, [isActive])
  const { id, name, insights, mentions, trend, end, latest } = section
  const Arrow = isOpen ? ChevronDown : ChevronRight
  const counts = `${insightsText(insights.length)} · ${mentionsText(mentions)}`
  const contents: Readonly<Record<string, ReactNode>> = {
    issue_name: renaming ? (
      <NameInput
        name={name}
        onEnd={(next) => {
          setRenaming(false)
          if (next !== null && next !== name) onRename(next)
        }}
      />
    ) : (
      <>
        <div className="flex items-center gap-1.5">
          <button
            type="button"
            ref={opener}
            data-row={index}
            aria-expanded={isOpen}
            aria-label={`${name}, ${counts}`}
            className="flex min-w-0 items-center gap-1.5 rounded-small text-left"
          >
            <Arrow size={16} aria-hidden className="shrink-0 text-muted" />
            <span
              dir="auto"
              title={name}
              className={clsx('truncate', id === REST ? 'font-medium text-muted' : 'font-semibold')}
            >
              {name}
            </span>
          </button>
          <span className="hidden shrink-0 text-small text-muted tabular-nums md:inline">
            {insightsText(insights.length)}
          </span>
        </div>
        <p className="truncate pl-5.5 text-small text-muted tabular-nums md:hidden">{counts}</p>
      </>
    ),
    mentions: mentions,
    trend: trend.length > 0 ? <Sparkline values={trend} label={trendText(trend, end)} faint={end !== null} /> : null,
    last_updated: latest
      ? updatedColumn.cell({ insight: latest, index, isOpen, isActive, added: 0, shown: columns.ids })
      : null,
  }
  const cell = (column: ShownColumn) => (
    <td key={column.id} className={column.className}>
      {contents[column.id]}
    </td>
  )
  return (
    <tr
      data-keeps-panel
      aria-rowindex={index + 2}
      onClick={renaming ? undefined : onToggle}
      className={clsx('h-11 cursor-pointer border-b border-line', isActive ? 'bg-hover' : 'bg-canvas hover:bg-hover')}
    >
      {columns.leading.map(cell)}
      {columns.tagsBefore > 0 ? <td /> : null}
      {columns.tags.map(cell)}
      {columns.tagsAfter > 0 ? <td /> : null}
      {columns.trailing.map(cell)}
      <td className="pr-2 text-right" onClick={(event) => event.stopPropagation()}>
        {id === REST ? null : (
          <Menu
            entries={[
              { label: 'Rename', Icon: Pencil, leads: true, onSelect: () => setRenaming(true) },
              { label: 'Remove theme', Icon: Trash2, danger: true, onSelect: onRemove },
            ]}
            trigger={
              <IconButton label={`Actions for theme ${name}`} data-keeps-panel data-edits>
                <Ellipsis size={16} aria-hidden />
              </IconButton>
            }
          />
        )}
      </td>
    </tr>
  )
}

/** The name as a field: Enter and leaving it save, Escape does not. */
function NameInput({ name, onEnd }: { name: string; onEnd: (next: string | null) => void }) {
  const box = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(name)
  const ended = useRef(false)
  useEffect(() => {
    box.current?.focus()
    box.current?.select()
  }, [])
  const end = (next: string) => {
    if (ended.current) return
    ended.current = true
    onEnd(next.trim() === '' ? null : next.trim())
  }
  return (
    <Input
      ref={box}
      aria-label={`Name of the theme ${name}`}
      dir="auto"
      maxLength={80}
      value={typed}
      onClick={(event) => event.stopPropagation()}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={() => end(typed)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') end(typed)
        else if (event.key === 'Escape') {
          event.stopPropagation()
          end('')
        }
      }}
      className="h-8 max-w-80"
    />
  )
}
