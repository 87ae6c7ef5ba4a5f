import { type Insight, listInsights } from '@groundswell/contract/insights.ts'
import { replaceEqualDeep, useQuery } from '@tanstack/react-query'
import { POLL_INTERVAL_MS } from '../../ui/constants.ts'
import { callUnlessSame, logFailure, type Tagged } from '../client/index.ts'

export const INSIGHTS = ['insights'] as const

/** Comparing a longer list with the one before, to keep what is the same, costs more than drawing it anew. */
const COMPARED_AT_MOST = 1_000

let last: Tagged<Insight[]> | undefined

/**
 * All insights, asked for again every 15 s while the page is seen and at once when it is seen again. A failure is logged
 * only; what was there stays.
 */
export function useInsights() {
  return useQuery({
    queryKey: INSIGHTS,
    queryFn: async () => {
      try {
        last = await callUnlessSame(listInsights, last)
        return last.reply
      } catch (error) {
        logFailure('Insights could not be loaded')(error)
        throw error
      }
    },
    structuralSharing: (old, next) =>
      Array.isArray(next) && next.length > COMPARED_AT_MOST ? next : replaceEqualDeep(old, next),
    refetchInterval: POLL_INTERVAL_MS,
    refetchOnWindowFocus: 'always',
  })
}
