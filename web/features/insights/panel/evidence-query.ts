import { mentionCount } from '@groundswell/contract/insights/insight-order.ts'
import { type Insight, listEvidence } from '@groundswell/contract/insights.ts'
import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { call } from '../../client/index.ts'

/** The first part of the keys of queries for the mentions of an insight. */
export const EVIDENCE = 'evidence'

/** Every mention of one insight with its whole message, newest first, a page at a time; refetched when the insight changes. */
export function useEvidence(insight: Insight) {
  const { issue_number, revision } = insight
  const client = useQueryClient()
  const known = useRef({ issue_number, revision })
  useEffect(() => {
    const before = known.current
    known.current = { issue_number, revision }
    // A mention can have left and come back, or be of another kind, with the count as it was.
    if (before.issue_number === issue_number && before.revision !== revision)
      void client.invalidateQueries({ queryKey: [EVIDENCE, issue_number] })
  }, [client, issue_number, revision])
  return useInfiniteQuery({
    queryKey: [EVIDENCE, issue_number, mentionCount(insight)],
    queryFn: ({ pageParam }) =>
      call(listEvidence, { params: { issue_number }, query: pageParam === null ? {} : { cursor: pageParam } }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: (before, query) => (query?.queryKey[1] === issue_number ? keepPreviousData(before) : undefined),
  })
}
