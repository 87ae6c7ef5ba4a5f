import type { Insight } from '@groundswell/contract/insights.ts'
import { useCallback, useState } from 'react'
import { useInsightActions } from './use-insight-actions.ts'

/**
 * Push and Delete for the screen. `asked` is the insight whose push waits for a choice of destinations. Deleting the open
 * insight closes it.
 */
export function useRowActions(issue: number | null, close: () => void) {
  const { push, remove, pushing } = useInsightActions()
  const [asked, setAsked] = useState<Insight | null>(null)
  const onDelete = useCallback(
    (insight: Insight) => {
      if (insight.issue_number === issue) close()
      void remove(insight)
    },
    [remove, close, issue],
  )
  const endAsking = useCallback(() => setAsked(null), [])
  return { push, pushing, asked, onPush: setAsked, onDelete, endAsking }
}
