import type { Insight } from '@groundswell/contract/insights.ts'
import clsx from 'clsx'
import { memo, useEffect, useRef } from 'react'
import { formatMoment } from '../../ui/moment.ts'
import { Sparkline } from '../../ui/sparkline.tsx'
import { countsInWords, peopleInWords, trendInWords } from './mention-words.ts'
import { relativeTime } from './relative-time.ts'
import { RowMenu } from './row-menu.tsx'
import { mentionCount } from './sort.ts'
import { StatusBadge } from './status-badge.tsx'
import { TagChip } from './tag-chip.tsx'

const TAGS_IN_ROW = 2

type InsightRowProps = {
  insight: Insight
  index: number
  isOpen: boolean
  isActive: boolean
  onOpen: (insight: Insight) => void
  onPush: (insight: Insight) => void
  onDelete: (insight: Insight) => void
}

/** One insight of the table. The whole row opens it; for keys and assistive tools its name is the button. */
export const InsightRow = memo(function InsightRow(props: InsightRowProps) {
  const { insight, index, isOpen, isActive, onOpen, onPush, onDelete } = props
  const mentions = mentionCount(insight)
  const name = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isActive) name.current?.focus({ preventScroll: true })
  }, [isActive])
  return (
    <tr
      data-keeps-panel
      aria-rowindex={index + 2}
      onClick={() => onOpen(insight)}
      className={clsx(
        'group h-11 cursor-pointer border-b border-line',
        isOpen ? 'bg-selected' : isActive ? 'bg-hover' : 'hover:bg-hover',
      )}
    >
      <td className="max-w-0 px-2 pl-4 md:pl-6">
        <div className="flex items-center gap-2">
          <button
            type="button"
            ref={name}
            data-row={index}
            aria-expanded={isOpen}
            dir="auto"
            className="min-w-0 truncate rounded-small text-left font-medium"
          >
            {insight.issue_name}
          </button>
          <span className="hidden shrink-0 gap-1 xl:flex">
            {(insight.categories ?? []).slice(0, TAGS_IN_ROW).map((tag) => (
              <TagChip key={tag.cat_name} tag={tag} />
            ))}
          </span>
        </div>
        <p className="truncate text-small text-muted md:hidden">
          <span className="capitalize sm:hidden">{insight.status} · </span>
          {countsInWords(mentions, insight.people_count)}
        </p>
      </td>
      <td className="hidden px-2 sm:table-cell">
        <StatusBadge status={insight.status} />
      </td>
      <td className="hidden px-2 whitespace-nowrap tabular-nums md:table-cell">
        {mentions}
        {insight.people_count === undefined ? null : (
          <span className="text-small text-muted"> · {peopleInWords(insight.people_count)}</span>
        )}
      </td>
      <td className="hidden px-2 lg:table-cell">
        {insight.trend ? <Sparkline values={insight.trend} label={trendInWords(insight.trend)} /> : null}
      </td>
      <td className="px-2 whitespace-nowrap text-muted tabular-nums">
        <time dateTime={insight.last_updated} title={formatMoment(insight.last_updated)}>
          {relativeTime(insight.last_updated, Date.now())}
        </time>
      </td>
      <td className="pr-2 text-right" onClick={(event) => event.stopPropagation()}>
        <RowMenu insight={insight} onPush={onPush} onDelete={onDelete} />
      </td>
    </tr>
  )
})
