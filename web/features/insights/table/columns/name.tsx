import { mentionCount } from '@groundswell/contract/insights/insight-order.ts'
import { useEffect, useRef } from 'react'
import { mentionsText, saidByText } from '../../mention-words.ts'
import { AddedCount } from '../added-count.tsx'
import { spikeOf } from '../spike.ts'
import { SpikeMark } from '../spike-mark.tsx'
import { useTickSlot } from '../tick-slot.ts'
import type { CellProps, TableColumn } from './column.ts'
import { trendColumn } from './trend.tsx'

const className = 'bg-inherit px-2 pl-4 md:sticky md:left-0 md:z-1 md:pl-6'

/** The name of the insight. It stays in view while the table scrolls sideways. */
export const nameColumn = {
  id: 'issue_name',
  label: 'Name',
  hideable: false,
  // It sticks to the left, above the line of the header, so it has its own line.
  header: `${className} shadow-[inset_0_-1px_0_var(--line)]`,
  className,
  cell: (props) => <NameCell {...props} />,
} as const satisfies TableColumn

/** The name, which opens the insight, with the data that has no column on narrow screens. */
function NameCell({ insight, index, isOpen, isActive, added, shown }: CellProps) {
  const spike = spikeOf(insight)
  const name = useRef<HTMLButtonElement>(null)
  const { Tick } = useTickSlot()
  useEffect(() => {
    if (isActive) name.current?.focus({ preventScroll: true })
  }, [isActive])
  return (
    <>
      <div className="relative flex items-center gap-2">
        <button
          type="button"
          ref={name}
          data-row={index}
          aria-expanded={isOpen}
          dir="auto"
          className="min-w-0 truncate rounded-small text-left font-medium break-words md:line-clamp-2 md:leading-4.5 md:whitespace-normal"
        >
          {insight.issue_name}
        </button>
        {Tick ? <Tick insight={insight} /> : null}
        {spike && !shown.has(trendColumn.id) ? <SpikeMark spike={spike} /> : null}
      </div>
      <p className="truncate text-small text-muted md:hidden">
        <span className="capitalize sm:hidden">{insight.status} · </span>
        {[mentionsText(mentionCount(insight)), saidByText(insight)].filter(Boolean).join(' · ')}
        <AddedCount added={added} />
      </p>
    </>
  )
}
