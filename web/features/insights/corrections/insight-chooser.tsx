import { mentionCount } from '@groundswell/contract/insights/insight-order.ts'
import type { Insight } from '@groundswell/contract/insights.ts'
import clsx from 'clsx'
import { type KeyboardEvent, useDeferredValue, useId, useMemo, useRef, useState } from 'react'
import { ROW_HEIGHT_PX } from '../../../ui/constants.ts'
import { Input } from '../../../ui/field.tsx'
import { useRowsInView } from '../../../ui/table/use-rows-in-view.ts'
import { countsText } from '../mention-words.ts'
import { type AlikeTo, useAlike } from './alike-query.ts'
import { rankInsights } from './rank-insights.ts'

type InsightChooserProps = {
  label: string
  insights: readonly Insight[]
  /** The text to find similar names for, where the server does not compare meanings. */
  about: string
  alikeTo: AlikeTo
  onChoose: (insight: Insight) => void
}

/** A search box and the matching insights, most similar first. Of ten thousand only those in view are rendered. */
export function InsightChooser({ label, insights, about, alikeTo, onChoose }: InsightChooserProps) {
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(0)
  const words = useDeferredValue(typed)
  const alike = useAlike(alikeTo)
  const found = useMemo(() => rankInsights(insights, about, words, alike), [insights, about, words, alike])
  const { first, last } = useRowsInView(scroller, ROW_HEIGHT_PX, found.length)
  const at = Math.min(active, found.length - 1)

  const moveTo = (next: number) => {
    const to = Math.max(0, Math.min(found.length - 1, next))
    setActive(to)
    const box = scroller.current
    if (!box) return
    const top = to * ROW_HEIGHT_PX
    if (top < box.scrollTop) box.scrollTop = top
    else if (top + ROW_HEIGHT_PX > box.scrollTop + box.clientHeight) {
      box.scrollTop = top + ROW_HEIGHT_PX - box.clientHeight
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    const chosen = found[at]
    if (step !== undefined) moveTo(at + step)
    else if (event.key === 'Enter' && chosen) onChoose(chosen)
    else return
    event.preventDefault()
  }
  return (
    <div className="flex flex-col gap-2">
      <Input
        role="combobox"
        data-begins
        aria-label={label}
        aria-expanded
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={found.length > 0 ? `${id}-${at}` : undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder="Search by name or number"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value)
          setActive(0)
          if (scroller.current) scroller.current.scrollTop = 0
        }}
        onKeyDown={onKeyDown}
      />
      <div
        ref={scroller}
        id={`${id}-list`}
        role="listbox"
        aria-label={label}
        className="h-64 overflow-y-auto rounded border border-line"
      >
        <Gap rows={first} />
        {found.slice(first, last + 1).map((insight, place) => (
          // The keys of the box above control it; the box keeps the focus.
          <div
            key={insight.issue_number}
            id={`${id}-${first + place}`}
            role="option"
            tabIndex={-1}
            aria-selected={first + place === at}
            aria-setsize={found.length}
            aria-posinset={first + place + 1}
            onPointerMove={() => setActive(first + place)}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onChoose(insight)}
            className={clsx(
              'flex h-11 cursor-pointer flex-col justify-center px-3',
              first + place === at ? 'bg-selected' : 'bg-surface',
            )}
          >
            <span dir="auto" className="truncate font-medium">
              {insight.issue_name}
            </span>
            <span className="truncate text-small text-muted">
              #{insight.issue_number} · {countsText(mentionCount(insight), insight.people_count)}
            </span>
          </div>
        ))}
        <Gap rows={found.length - 1 - last} />
      </div>
      <p role="status" className={found.length === 0 ? 'text-small text-muted' : 'sr-only'}>
        {found.length === 0 ? 'No insights match.' : found.length === 1 ? '1 insight' : `${found.length} insights`}
      </p>
    </div>
  )
}

/** Space for insights that are not in the document. */
function Gap({ rows }: { rows: number }) {
  return rows > 0 ? <div role="presentation" style={{ height: rows * ROW_HEIGHT_PX }} /> : null
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 5, PageUp: -5 }
