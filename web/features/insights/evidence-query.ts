import { listEvidence } from '@groundswell/contract/insights.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { call } from '../client/index.ts'

/** Every mention of one insight, a page at a time; asked for only once `enabled`. */
export function useEvidence(issueNumber: number, enabled: boolean) {
  return useInfiniteQuery({
    queryKey: ['evidence', issueNumber],
    queryFn: ({ pageParam }) =>
      call(listEvidence, {
        params: { issue_number: issueNumber },
        query: pageParam === null ? {} : { cursor: pageParam },
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    enabled,
  })
}
