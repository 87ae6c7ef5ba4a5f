import type { Insight } from '@groundswell/contract/insights.ts'
import { Waves } from 'lucide-react'
import { Link } from 'react-router'
import { buttonClass } from '../../../ui/button.tsx'
import { POLL_INTERVAL_MS } from '../../../ui/constants.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ImportLink } from '../../feedback/index.ts'
import { totalText } from '../ungrouped/total-in-words.ts'
import { useUngroupedTotal } from '../ungrouped/ungrouped-query.ts'

const NONE: readonly Insight[] = []

/** Before the first insight: how to add feedback, or, once there is some, the feedback to review. */
export function NoInsights() {
  const total = useUngroupedTotal(NONE, POLL_INTERVAL_MS)
  return (
    <EmptyState
      icon={<Waves size={24} aria-hidden />}
      title="No insights yet"
      actions={
        <>
          {total > 0 ? (
            <Link to="/ungrouped" className={buttonClass('primary')}>
              Review them
            </Link>
          ) : null}
          <ImportLink look={total > 0 ? 'secondary' : 'primary'} />
          <Link to="/integrations" className={buttonClass()}>
            Connect a source
          </Link>
        </>
      }
    >
      An insight appears as soon as two messages say the same thing.{' '}
      {total > 0
        ? `Not in an insight yet: ${totalText(total)}. Group related messages, or add more feedback.`
        : 'Add some feedback to get started.'}
    </EmptyState>
  )
}
