import type { Insight } from '@groundswell/contract/insights.ts'
import { Send, Trash2 } from 'lucide-react'
import { Button, IconButton } from '../../ui/button.tsx'
import { formatDay, formatMoment } from '../../ui/moment.ts'
import { Panel } from '../../ui/panel.tsx'
import { InsightDeliveries } from '../deliveries/index.ts'
import { useInsightDetail } from './detail-query.ts'
import { EvidenceList } from './evidence-list.tsx'
import { HistoryList } from './history-list.tsx'
import { MentionChart } from './mention-chart.tsx'
import { countsInWords } from './mention-words.ts'
import { PeopleAndSources } from './people-and-sources.tsx'
import { mentionCount } from './sort.ts'
import { spikeOf } from './spike.ts'
import { SpikeMark } from './spike-mark.tsx'
import { StatusBadge } from './status-badge.tsx'
import { TagEditor } from './tag-editor.tsx'

type InsightPanelProps = {
  insight: Insight
  insights: readonly Insight[]
  pushing: boolean
  onClose: () => void
  onPush: (insight: Insight) => void
  onDelete: (insight: Insight) => void
}

/**
 * One insight in the side panel. What is done with the whole of it (a merge, a split) has its place beside Push; what is
 * done with one mention (a move, "not this") in its `EvidenceItem`, beside the link.
 */
export function InsightPanel({ insight, insights, pushing, onClose, onPush, onDelete }: InsightPanelProps) {
  const version = `${insight.last_updated} ${insight.status}`
  const { data: detail, isPending } = useInsightDetail(insight.issue_number, version)
  const spike = spikeOf(insight.trend)
  return (
    <Panel
      open
      onClose={onClose}
      title={insight.issue_name}
      eyebrow={`#${insight.issue_number}`}
      actions={
        <>
          {insight.status === 'created' || pushing ? (
            <Button look="primary" busy={pushing} onClick={() => onPush(insight)}>
              <Send size={14} aria-hidden />
              {pushing ? 'Pushing…' : 'Push'}
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
          {spike ? <SpikeMark spike={spike} /> : null}
          <span title={formatMoment(insight.last_updated)}>updated {formatDay(insight.last_updated)}</span>
        </div>
        <p dir="auto" className="text-lead break-words whitespace-pre-line">
          {insight.summary}
        </p>
        <TagEditor insight={insight} insights={insights} detail={detail} />
        <MentionChart insight={insight} timeline={detail?.timeline} />
        {detail ? <PeopleAndSources detail={detail} /> : isPending ? <div className="skeleton h-24" /> : null}
        <InsightDeliveries issueNumber={insight.issue_number} />
        <EvidenceList insight={insight} />
        {detail ? <HistoryList history={detail.history} /> : null}
      </div>
    </Panel>
  )
}
