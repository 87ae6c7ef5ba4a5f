import type { FeedbackKind } from '@groundswell/contract/feedback/feedback-kind.ts'
import { type Insight, listUngrouped } from '@groundswell/contract/insights.ts'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { call } from '../../client/index.ts'
import { useHasExtras } from '../../operations/index.ts'
import { useContinued } from './use-continued.ts'

/** The first part of the keys of queries for feedback in no insight. */
export const UNGROUPED = 'ungrouped'

/** Sorted by similarity, everything worth reading is on the first page. */
const MAX_SIMILAR = 100

/**
 * The mentions in no insight whose message contains these words, newest first, a page at a time. `continues`: the last page was
 * empty, there is more, and the next page is requested automatically. `like`: ids of mentions; the most similar to them are
 * returned instead, most similar first, without these. `kind`: only these.
 */
export function useUngrouped(words: string, courtesies: boolean, like: readonly string[], kind: FeedbackKind | null) {
  const alike = like.join(',')
  const pages = useInfiniteQuery({
    queryKey: [UNGROUPED, 'list', words, courtesies, alike, kind],
    queryFn: ({ pageParam }) =>
      call(listUngrouped, {
        query: {
          words: words || undefined,
          courtesies: courtesies ? 'true' : undefined,
          kind: kind ?? undefined,
          ...(alike ? { like: alike, limit: MAX_SIMILAR } : {}),
          ...(pageParam === null ? {} : { cursor: pageParam }),
        },
      }),
    placeholderData: keepPreviousData,
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  })
  return { ...pages, continues: useContinued(pages) }
}

/**
 * How many mentions are in no insight; 0 while that is unknown, as on a server without that number. Refetched when the insights
 * change, and every `everyMs`.
 */
export function useUngroupedTotal(insights: readonly Insight[], everyMs: number): number {
  const enabled = useHasExtras()
  const { data, isError, refetch } = useQuery({
    queryKey: [UNGROUPED, 'total'],
    queryFn: async () => (await call(listUngrouped, { query: { limit: 1 } })).total ?? 0,
    enabled,
    refetchInterval: everyMs,
    refetchOnWindowFocus: false,
  })
  const counted = useRef(insights)
  useEffect(() => {
    if (counted.current === insights) return
    counted.current = insights
    if (enabled) void refetch()
  }, [insights, enabled, refetch])
  return isError ? 0 : (data ?? 0)
}
