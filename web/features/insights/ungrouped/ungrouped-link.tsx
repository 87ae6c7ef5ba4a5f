import type { Insight } from '@groundswell/contract/insights.ts'
import { Link } from 'react-router'
import { UNGROUPED_POLL_MS } from '../../../ui/constants.ts'
import { totalText } from './total-in-words.ts'
import { useUngroupedTotal } from './ungrouped-query.ts'

/** The link to the ungrouped feedback; nothing where there is none. */
export function UngroupedLink({ insights }: { insights: readonly Insight[] }) {
  const total = useUngroupedTotal(insights, UNGROUPED_POLL_MS)
  if (total === 0) return null
  return (
    <Link to="/ungrouped" className="rounded-small text-accent hover:underline">
      {totalText(total)} not in an insight
    </Link>
  )
}
