import type { Insight } from '@groundswell/contract/insights.ts'
import clsx from 'clsx'
import { type KeyboardEvent, useDeferredValue, useId, useMemo, useRef, useState } from 'react'
import { ROW_HEIGHT_PX } from '../../../ui/constants.ts'
import { Input } from '../../../ui/field.tsx'
import { useRowsInView } from '../../../ui/use-rows-in-view.ts'
import { countsInWords } from '../mention-words.ts'
import { mentionCount } from '../sort.ts'
import { rankInsights } from './rank-insights.ts'

type InsightChooserProps = {
  label: string
  insights: readonly Insight[]
  /** What the most similar names are looked for by, until something is typed. */
  about: string
  onChoose: (insight: Insight) => void
}

/** A box to type in and the insights that match, most similar first. Of ten thousand only those in view are drawn. */
export function InsightChooser({ label, insights, about, onChoose }: InsightChooserProps) {
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(0)
  const words = useDeferredValue(typed)
  const found = useMemo(() => rankInsights(insights, about, words), [insights, about, words])
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
      <div ref={scroller} className="h-64 overflow-y-auto rounded border border-line">
        <ul id={`${id}-list`} role="listbox" aria-label={label} style={{ paddingTop: first * ROW_HEIGHT_PX }}>
          {found.slice(first, last + 1).map((insight, place) => (
            // Keys act on it from the box above, which keeps the focus.
            <li
              key={insight.issue_number}
              id={`${id}-${first + place}`}
              role="option"
              aria-selected={first + place === at}
              aria-setsize={found.length}
              aria-posinset={first + place + 1}
              onPointerMove={() => setActive(first + place)}
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
                #{insight.issue_number} · {countsInWords(mentionCount(insight), insight.people_count)}
              </span>
            </li>
          ))}
        </ul>
        {/* The room of those that are not in the document. */}
        <div aria-hidden style={{ height: Math.max(0, found.length - 1 - last) * ROW_HEIGHT_PX }} />
        {found.length === 0 ? <p className="px-3 py-2 text-muted">No insight has these words in its name.</p> : null}
      </div>
      <p role="status" className="sr-only">
        {found.length === 1 ? '1 insight' : `${found.length} insights`}
      </p>
    </div>
  )
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 5, PageUp: -5 }
