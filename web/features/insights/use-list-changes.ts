import type { Insight } from '@groundswell/contract/insights.ts'
import { useCallback } from 'react'
import type { InsightsAddress } from './filters/use-address.ts'
import type { Sort } from './table/sort.ts'

type ListChanges = Pick<InsightsAddress, 'setIssue' | 'setSort' | 'change'> & { leaveRow: () => void }

/** Opens an insight and changes the list. Each clears the active row, except `close`. */
export function useListChanges({ setIssue, setSort, change, leaveRow }: ListChanges) {
  const open = useCallback(
    (insight: Insight) => {
      leaveRow()
      setIssue(insight.issue_number)
    },
    [setIssue, leaveRow],
  )
  const close = useCallback(() => setIssue(null), [setIssue])
  const filterBy = useCallback(
    (make: (address: URLSearchParams) => URLSearchParams) => {
      leaveRow()
      change(make)
    },
    [change, leaveRow],
  )
  const sortBy = useCallback(
    (next: Sort) => {
      leaveRow()
      setSort(next)
    },
    [setSort, leaveRow],
  )
  return { open, close, filterBy, sortBy }
}
