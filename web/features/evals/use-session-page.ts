import { useEvalPage, useOpenedEval } from './eval-queries.ts'
import type { EvalPageView, EvalView } from './session-view.ts'

/** What the reader of a session shows. */
type SessionPage = {
  /** The whole session; null for one that is loaded page by page. */
  session: EvalView | null
  evaluators: readonly string[]
  /** The page that is shown: which one, from 0, and its contents; undefined while it loads, and when there is none. */
  index: number
  page: EvalPageView | undefined
  /** Null until it is known. */
  total: number | null
  loading: boolean
  error: Error | null
  again: () => void
}

/** The page of a session nearest to `wanted` (from 0), whether the session is loaded whole or page by page. */
export function useSessionPage(filename: string, wanted: number): SessionPage {
  const opened = useOpenedEval(filename)
  const session = opened.data?.session ?? null
  const total = opened.data?.total ?? null
  const index = Math.max(0, Math.min(wanted, (total ?? 1) - 1))
  const isPaged = session === null && total !== null && total > 0
  const single = useEvalPage(filename, index, isPaged)
  const shown = session ?? single.data
  const current = isPaged ? single : opened
  return {
    session,
    evaluators: shown?.evaluators ?? [],
    index,
    page: shown?.pages[session ? index : 0],
    total,
    loading: current.isFetching && !current.data,
    error: current.error,
    again: () => void current.refetch(),
  }
}
