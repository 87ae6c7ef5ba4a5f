import { type Insight, listInsights } from '@groundswell/contract/insights.ts'
import { replaceEqualDeep, useQuery } from '@tanstack/react-query'
import { POLL_INTERVAL_MS } from '../../ui/constants.ts'
import { callForDelta, logFailure, type WithDelta } from '../client/index.ts'
import { listDelta } from './list-delta.ts'

/** The key of the list of insights. */
export const INSIGHTS = ['insights'] as const

/** For a longer list structural sharing costs more than rendering it again. */
const MAX_COMPARED = 1_000

let last: WithDelta<Insight[]> | undefined

/**
 * All insights, requested every 15 s while the page is visible and immediately when it becomes visible again. A failure is only
 * logged; the previous list stays.
 */
export function useInsights() {
  return useQuery({
    queryKey: INSIGHTS,
    queryFn: async () => {
      try {
        last = await callForDelta(listInsights, last, listDelta)
        return last.reply
      } catch (error) {
        logFailure('Insights could not be loaded')(error)
        throw error
      }
    },
    structuralSharing: (old, next) =>
      Array.isArray(next) && next.length > MAX_COMPARED ? next : replaceEqualDeep(old, next),
    refetchInterval: POLL_INTERVAL_MS,
    refetchOnWindowFocus: 'always',
  })
}
