import type { Insight } from '@groundswell/contract/insights.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Filter } from './filters/filter.ts'
import { useVersion } from './filters/use-version.ts'

/**
 * The insights that the filter's customer mentioned and that have a mention with its values of attributes, or all without either; undefined until it is
 * known which they are.
 */
export function useSaidBy(
  insights: readonly Insight[] | undefined,
  { customer, attributes }: Filter,
): readonly Insight[] | undefined {
  const version = useVersion(insights)
  const isAsked = !!(customer || attributes)
  const { data } = useQuery({
    queryKey: ['customers', customer, attributes, version],
    queryFn: async () => (await import('./filters/said-by.ts')).readSaidBy(customer, attributes),
    enabled: isAsked,
    placeholderData: (previous) => previous,
  })
  return useMemo(
    () => (isAsked ? data && insights?.filter((one) => data.has(one.issue_number)) : insights),
    [insights, isAsked, data],
  )
}
