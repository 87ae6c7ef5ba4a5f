import type { Insight } from '@groundswell/contract/insights.ts'
import { Send, Trash2 } from 'lucide-react'
import { Button, IconButton } from '../../ui/button.tsx'
import { formatDay, formatMoment } from '../../ui/moment.ts'
import { Panel } from '../../ui/panel.tsx'
import { Bars } from '../../ui/sparkline.tsx'
import { InsightDeliveries } from '../deliveries/index.ts'
import { EvidenceList } from './evidence-list.tsx'
import { countsInWords, trendInWords } from './mention-words.ts'
import { mentionCount } from './sort.ts'
import { StatusBadge } from './status-badge.tsx'
import { TagChip } from './tag-chip.tsx'

type InsightPanelProps = {
  insight: Insight
  onClose: () => void
  onPush: (insight: Insight) => void
  onDelete: (insight: Insight) => void
}

/** One insight in the side panel. */
export function InsightPanel({ insight, onClose, onPush, onDelete }: InsightPanelProps) {
  const categories = insight.categories ?? []
  return (
    <Panel
      open
      onClose={onClose}
      title={insight.issue_name}
      eyebrow={`#${insight.issue_number}`}
      actions={
        <>
          {insight.status === 'created' ? (
            <Button look="primary" onClick={() => onPush(insight)}>
              <Send size={14} aria-hidden />
              Push
            </Button>
          ) : null}
          <IconButton label="Delete" onClick={() => onDelete(insight)}>
            <Trash2 size={16} aria-hidden />
          </IconButton>
        </>
      }
    >
      <div className="flex flex-col gap-5" key={insight.issue_number}>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted">
          <StatusBadge status={insight.status} />
          <span className="tabular-nums">{countsInWords(mentionCount(insight), insight.people_count)}</span>
          <span title={formatMoment(insight.last_updated)}>updated {formatDay(insight.last_updated)}</span>
        </div>
        <p dir="auto" className="text-lead break-words">
          {insight.summary}
        </p>
        {categories.length > 0 ? (
          <div className="flex flex-wrap gap-1">
            {categories.map((tag) => (
              <TagChip key={tag.cat_name} tag={tag} />
            ))}
          </div>
        ) : null}
        {insight.trend ? (
          <section>
            <h3 className="font-semibold">Mentions by week</h3>
            <div className="mt-2">
              <Bars values={insight.trend} label={trendInWords(insight.trend)} />
            </div>
            <p className="mt-1 flex justify-between text-small text-muted">
              <span>
                {insight.first_seen ? `First ${formatDay(insight.first_seen)}` : `${insight.trend.length} weeks ago`}
              </span>
              <span>{insight.last_seen ? `Last ${formatDay(insight.last_seen)}` : 'This week'}</span>
            </p>
          </section>
        ) : null}
        <InsightDeliveries issueNumber={insight.issue_number} />
        <EvidenceList insight={insight} />
      </div>
    </Panel>
  )
}
