import { listAlike } from '@groundswell/contract/insights/alike.ts'
import { MAX_LIKE } from '@groundswell/contract/insights.ts'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../client/index.ts'

/** What to find similar insights for: an insight, or mentions by their ids. */
export type AlikeTo = { issue: number } | { mentions: readonly string[] }

const NONE: readonly number[] = []

/** The insights most similar in meaning, most similar first; none while they are unknown, and on a server without that call. */
export function useAlike(to: AlikeTo): readonly number[] {
  const query = 'issue' in to ? { issue: to.issue } : { like: to.mentions.slice(0, MAX_LIKE).join(',') }
  const { data } = useQuery({
    queryKey: ['alike', query],
    queryFn: () => call(listAlike, { query }),
    enabled: 'issue' in to || to.mentions.length > 0,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  return data?.issue_numbers ?? NONE
}
