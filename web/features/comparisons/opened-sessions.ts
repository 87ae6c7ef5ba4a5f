import {
  getComparisonPages,
  getComparisonSessions,
  MAX_COMPARISON_PAGES,
} from '@groundswell/contract/evaluation/comparisons.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CallError, call } from '../client/index.ts'
import { type ComparisonPages, type LoadPages, openPages } from './comparison-pages.ts'
import { type ComparisonView, NO_SESSIONS, type SessionsView, viewSessions } from './comparison-view.ts'

/** The comparisons of a source: all of them, or page by page when the server does not return them at once. */
export type OpenedSessions = { generators: string[]; total: number } & (
  | { whole: SessionsView; pages: null }
  | { whole: null; pages: ComparisonPages; openedAt: number }
)

/** Before a source is chosen. */
export const NOTHING_OPENED: OpenedSessions = wholeSessions(NO_SESSIONS)

/** `wanted`: the comparison that is shown first, from 0. */
export async function openSessions(wanted: number): Promise<OpenedSessions> {
  try {
    return wholeSessions(viewSessions(await call(getComparisonSessions, {})))
  } catch (refusal) {
    if (!(refusal instanceof CallError) || refusal.code !== 'conflict') throw refusal
    const pages = await openPages(callPages, wanted, MAX_COMPARISON_PAGES).catch((error: unknown) => {
      // Another server does not have that call.
      throw error instanceof CallError && error.status === 404 ? refusal : error
    })
    const { generators, total } = pages
    return { generators, total, whole: null, pages, openedAt: performance.now() }
  }
}

const callPages: LoadPages = async (from, count) => {
  const { total, ...found } = await call(getComparisonPages, { query: { from, count } })
  return { total, ...viewSessions(found) }
}

function wholeSessions(whole: SessionsView): OpenedSessions {
  const { generators, comparisons } = whole
  return { generators, total: comparisons.length, whole, pages: null }
}

const NOT_REFETCHED = { refetchOnWindowFocus: false, refetchOnReconnect: false, gcTime: 0 } as const

type Loaded<T> = { data: T | undefined; error: Error | null; again: () => void }

/** The comparison at `index`. Without an error it is undefined while it loads, and when there is none. */
export function useComparison(sessions: OpenedSessions, index: number): Loaded<ComparisonView> {
  const { data, error, refetch } = useQuery({
    queryKey: ['comparisons', 'page', keyOf(sessions), index],
    queryFn: () => sessions.pages?.load(index) ?? null,
    enabled: sessions.pages !== null,
    ...NOT_REFETCHED,
  })
  return {
    data: sessions.whole ? sessions.whole.comparisons[index] : (data ?? undefined),
    error,
    again: () => void refetch(),
  }
}

/** All comparisons, and how many are loaded. Without an error `data` is undefined while they load. */
export function useAllComparisons(sessions: OpenedSessions): Loaded<SessionsView> & { done: number } {
  const [done, setDone] = useState(0)
  const { data, error, refetch } = useQuery({
    queryKey: ['comparisons', 'all', keyOf(sessions)],
    queryFn: ({ signal }) => sessions.pages?.loadAll(setDone, signal) ?? null,
    enabled: sessions.pages !== null,
    ...NOT_REFETCHED,
  })
  return { data: sessions.whole ?? data ?? undefined, error, again: () => void refetch(), done }
}

function keyOf(sessions: OpenedSessions): number | null {
  return sessions.pages ? sessions.openedAt : null
}
