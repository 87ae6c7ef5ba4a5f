import type { Insight } from '@groundswell/contract/insights.ts'
import clsx from 'clsx'
import { memo, useEffect, useRef } from 'react'
import { formatMoment } from '../../../ui/moment.ts'
import { Sparkline } from '../../../ui/sparkline.tsx'
import { countsInWords, peopleInWords, trendInWords } from '../mention-words.ts'
import { relativeTime } from '../relative-time.ts'
import { StatusBadge } from '../status-badge.tsx'
import { TagValue } from '../tag-value.tsx'
import { RowMenu } from './row-menu.tsx'
import { mentionCount } from './sort.ts'
import { spikeOf } from './spike.ts'
import { SpikeMark } from './spike-mark.tsx'
import type { ShownColumns } from './table-columns.ts'
import { CELL } from './table-head.tsx'

type InsightRowProps = {
  insight: Insight
  index: number
  columns: ShownColumns
  isOpen: boolean
  isActive: boolean
  onOpen: (insight: Insight) => void
  onPush: (insight: Insight) => void
  onDelete: (insight: Insight) => void
}

/** One insight of the table. The whole row opens it; for keys and assistive tools its name is the button. */
export const InsightRow = memo(function InsightRow(props: InsightRowProps) {
  const { insight, index, columns, isOpen, isActive, onOpen, onPush, onDelete } = props
  const mentions = mentionCount(insight)
  const spike = spikeOf(insight)
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
        'h-11 cursor-pointer border-b border-line',
        isOpen ? 'bg-selected' : isActive ? 'bg-hover' : 'bg-surface hover:bg-hover',
      )}
    >
      <td className={CELL.issue_name}>
        <div className="flex items-center gap-2">
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
          {spike && !columns.trend ? <SpikeMark spike={spike} /> : null}
        </div>
        <p className="truncate text-small text-muted md:hidden">
          <span className="capitalize sm:hidden">{insight.status} · </span>
          {countsInWords(mentions, insight.people_count)}
        </p>
      </td>
      {columns.status ? (
        <td className={CELL.status}>
          <StatusBadge status={insight.status} />
        </td>
      ) : null}
      {columns.mentions ? (
        <td className={CELL.mentions}>
          {mentions}
          {insight.people_count === undefined ? null : (
            <span className="text-small text-muted"> · {peopleInWords(insight.people_count)}</span>
          )}
        </td>
      ) : null}
      {columns.trend ? (
        <td className={CELL.trend}>
          {insight.trend ? (
            <span className="flex items-center gap-1.5">
              <Sparkline
                values={insight.trend}
                label={trendInWords(insight.trend, insight.trend_end)}
                faint={Boolean(insight.trend_end)}
              />
              {spike ? <SpikeMark spike={spike} /> : null}
            </span>
          ) : null}
        </td>
      ) : null}
      {columns.before > 0 ? <td /> : null}
      {columns.tags.map((tag) => (
        <td key={tag} className={CELL.tag}>
          <TagValue tag={insight.categories?.find((one) => one.cat_name === tag)} />
        </td>
      ))}
      {columns.behind > 0 ? <td /> : null}
      <td className={clsx(CELL.last_updated, 'text-muted tabular-nums')}>
        <time dateTime={insight.last_updated} title={formatMoment(insight.last_updated)}>
          {relativeTime(insight.last_updated, Date.now())}
        </time>
      </td>
      <td className="pr-2 text-right" onClick={(event) => event.stopPropagation()}>
        <RowMenu key={insight.issue_number} insight={insight} onPush={onPush} onDelete={onDelete} />
      </td>
    </tr>
  )
})
