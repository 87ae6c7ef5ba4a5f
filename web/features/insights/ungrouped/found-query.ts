import type { FeedbackKind } from '@groundswell/contract/feedback-kind.ts'
import { searchFeedback } from '@groundswell/contract/feedback-search.ts'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { call } from '../../client/index.ts'
import { useContinued } from './use-continued.ts'

const DAY_MS = 86_400_000

/** What is searched for; an empty text or null: anything. `days`: not older than that. */
export type FoundFilter = {
  words: string
  source: string
  kind: FeedbackKind | null
  days: number | null
  customer: string
}

/** The messages that pass the filter, newest first, a page at a time. `continues`: the next page is requested automatically. */
export function useFound({ words, source, kind, days, customer }: FoundFilter) {
  const pages = useInfiniteQuery({
    queryKey: ['found', words, source, kind, days, customer],
    queryFn: ({ pageParam }) =>
      call(searchFeedback, {
        query: {
          words: words || undefined,
          source: source || undefined,
          kind: kind ?? undefined,
          customer: customer || undefined,
          from: days === null ? undefined : new Date(Date.now() - days * DAY_MS).toISOString(),
          ...(pageParam === null ? {} : { cursor: pageParam }),
        },
      }),
    placeholderData: keepPreviousData,
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  })
  return { ...pages, continues: useContinued(pages) }
}
