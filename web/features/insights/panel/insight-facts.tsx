import type { InsightDetail } from '@groundswell/contract/insights/insight-detail.ts'
import { mentionCount } from '@groundswell/contract/insights/insight-order.ts'
import type { Insight } from '@groundswell/contract/insights.ts'
import { lazyExtra } from '../../../ui/loading/lazy-part.tsx'
import { formatMoment } from '../../../ui/text/moment.ts'
import { ClosedReasons, LatestDelivery } from '../../deliveries/index.ts'
import { useHasExtras } from '../../operations/index.ts'
import { LockSign } from '../corrections/lock-sign.tsx'
import type { Correcting } from '../corrections/use-correcting.ts'
import { countsText } from '../mention-words.ts'
import { StatusBadge } from '../status-badge.tsx'
import { spikeOf } from '../table/spike.ts'
import { SpikeMark } from '../table/spike-mark.tsx'
import { TeamMenu } from '../team-status/team-menu.tsx'
import { StatusMeaning } from './status-meaning.tsx'

const AssignMenu = lazyExtra(async () => (await import('../assignment/assign-menu.tsx')).AssignMenu)
const GuessSign = lazyExtra(async () => (await import('../corrections/guess-sign.tsx')).GuessSign)

type InsightFactsProps = { insight: Insight; detail: InsightDetail | undefined; correcting: Correcting | null }

/** The lines below the name of an insight: its states and what is set there, then its counts and dates, then its newest delivery. */
export function InsightFacts({ insight, detail, correcting }: InsightFactsProps) {
  const hasExtras = useHasExtras()
  const spike = spikeOf(insight)
  return (
    <div className="flex flex-col gap-y-1.5 text-muted">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <StatusBadge status={insight.status} />
        <StatusMeaning status={insight.status} />
        {correcting ? <TeamMenu insight={insight} set={detail?.team_status_set} /> : null}
        <ClosedReasons issueNumber={insight.issue_number} />
        {hasExtras ? <AssignMenu insight={insight} /> : null}
        {detail?.name_is_guess && !correcting?.draft ? (
          <GuessSign onRename={correcting ? () => correcting.setDraft({ what: 'rename' }) : undefined} />
        ) : null}
        {correcting && detail?.locked ? (
          <LockSign busy={correcting.busy} onUnlock={() => void correcting.correct({ kind: 'lock', locked: false })} />
        ) : null}
      </div>
      <p className="flex flex-wrap items-center gap-x-3">
        <span className="tabular-nums">
          {countsText(mentionCount(insight), insight.people_count, insight.text_count)}
        </span>
        {spike ? <SpikeMark spike={spike} /> : null}
        <span>updated {formatMoment(insight.last_updated)}</span>
      </p>
      <LatestDelivery issueNumber={insight.issue_number} />
    </div>
  )
}
