import type { Insight } from '@groundswell/contract/insights.ts'
import { useState } from 'react'
import { Link } from 'react-router'
import { Panel } from '../../../ui/panel.tsx'
import { useMayEdit } from '../../accounts/index.ts'
import { CallError } from '../../client/index.ts'
import { useCorrecting } from '../corrections/use-correcting.ts'
import { useInsightDetail } from './detail-query.ts'
import { HistoryList } from './history-list.tsx'
import { InsightPanel } from './insight-panel.tsx'

type OpenInsightProps = {
  issue: number
  insights: readonly Insight[]
  pushing: boolean
  onClose: () => void
  onPush: (insight: Insight) => void
  onDelete: (insight: Insight) => void
}

/**
 * The insight of the address, whatever the filter; a message when there is none with that number. One that a correction from
 * here may just have ended stays until the panel opens its successor.
 */
export function OpenInsight({ issue, insights, ...rest }: OpenInsightProps) {
  const [held, setHeld] = useState<Insight | null>(null)
  // As it was when the correction was sent: a newer version would be a new key, and its requests could arrive after its end.
  const insight = held?.issue_number === issue ? held : insights.find((one) => one.issue_number === issue)
  if (!insight) return <MissingInsight issue={issue} onClose={rest.onClose} />
  return <InsightPanel insight={insight} insights={insights} onHold={setHeld} {...rest} />
}

/** Shows the outcome of the insight, if the server knows it; a correction that ended it can be undone here too. */
function MissingInsight({ issue, onClose }: { issue: number; onClose: () => void }) {
  const { error, isPending } = useInsightDetail(issue, 'missing')
  const known = error instanceof CallError && error.code === 'not_found' ? error : null
  const mayEdit = useMayEdit()
  const correcting = useCorrecting(issue, 'missing', known !== null && mayEdit)
  const merged = known?.fields['merged_into']
  return (
    <Panel open onClose={onClose} title={`Insight #${issue}`}>
      {isPending ? (
        <div className="skeleton h-10" role="status" aria-label="Loading" />
      ) : (
        <div className="flex flex-col gap-5">
          <p role="status">
            {known ? `${known.message}.` : `There is no insight #${issue} in this list.`}{' '}
            {merged ? (
              <Link to={`/insights?issue=${merged}`} className="text-accent hover:underline">
                Show #{merged}
              </Link>
            ) : null}
          </p>
          <HistoryList here={issue} history={[]} reviewed={{ moved: [], merged: [] }} correcting={correcting} />
        </div>
      )}
    </Panel>
  )
}
