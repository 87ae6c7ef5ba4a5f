import type { FeedbackKind } from '@groundswell/contract/feedback/feedback-kind.ts'
import { searchFeedback } from '@groundswell/contract/feedback/feedback-search.ts'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { call } from '../../client/index.ts'
import { useContinued } from './use-continued.ts'

/** The first part of the keys of queries that search all feedback. */
export const FOUND = 'found'

const DAY_MS = 86_400_000

/** A search and its filters; an empty text or null filters nothing. `days`: the greatest age. `meaning`: finds similar messages too, best match first. */
export type FoundFilter = {
  words: string
  meaning: boolean
  source: string
  kind: FeedbackKind | null
  days: number | null
  customer: string
  /** Chosen values of attributes, as `readAttributes` reads them. */
  attributes: string
}

/** The restrictions of a search, as the server takes them. */
export function restrictions({ source, kind, days, customer, attributes }: Omit<FoundFilter, 'words' | 'meaning'>) {
  return {
    source: source || undefined,
    kind: kind ?? undefined,
    customer: customer || undefined,
    attributes: attributes || undefined,
    from: days === null ? undefined : new Date(Date.now() - days * DAY_MS).toISOString(),
  }
}

/** The messages that pass the filter, a page at a time. `continues`: the next page is requested automatically. */
export function useFound({ words, meaning, ...filter }: FoundFilter, enabled: boolean) {
  const { source, kind, days, customer, attributes } = filter
  const pages = useInfiniteQuery({
    enabled,
    queryKey: [FOUND, words, meaning, source, kind, days, customer, attributes],
    queryFn: ({ pageParam }) =>
      call(searchFeedback, {
        query: {
          words: words || undefined,
          by: meaning && words !== '' ? 'meaning' : undefined,
          ...restrictions(filter),
          ...(pageParam === null ? {} : { cursor: pageParam }),
        },
      }),
    placeholderData: keepPreviousData,
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  })
  return { ...pages, continues: useContinued(pages) }
}

/** A page of messages that were found. */
export type FoundPage = NonNullable<ReturnType<typeof useFound>['data']>['pages'][number]
