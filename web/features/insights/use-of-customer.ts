import type { Insight } from '@groundswell/contract/insights.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

/** The insights that a customer mentioned, or all without one; undefined until it is known which they are. */
export function useOfCustomer(insights: readonly Insight[] | undefined, id: string): readonly Insight[] | undefined {
  const { data } = useQuery({
    queryKey: ['customers', id, insights],
    queryFn: async () => (await import('../customers/index.ts')).readInsightNumbers(id),
    enabled: !!id,
  })
  return useMemo(
    () => (id ? data && insights?.filter((one) => data.has(one.issue_number)) : insights),
    [insights, id, data],
  )
}
