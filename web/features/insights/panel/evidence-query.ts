import { mentionCount } from '@groundswell/contract/insight-order.ts'
import { type Insight, listEvidence } from '@groundswell/contract/insights.ts'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { call } from '../../client/index.ts'

export const EVIDENCE = 'evidence'

/** Every mention of one insight with its whole message, newest first, a page at a time; refetched when there are more. */
export function useEvidence(insight: Insight) {
  const { issue_number } = insight
  return useInfiniteQuery({
    queryKey: [EVIDENCE, issue_number, mentionCount(insight)],
    queryFn: ({ pageParam }) =>
      call(listEvidence, { params: { issue_number }, query: pageParam === null ? {} : { cursor: pageParam } }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: (before, query) => (query?.queryKey[1] === issue_number ? keepPreviousData(before) : undefined),
  })
}
