import type { Insight } from '@groundswell/contract/insights.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Filter } from './filters/filter.ts'

/**
 * The insights that the filter's customer mentioned and that have a mention with its values of attributes, or all without either; undefined until it is
 * known which they are.
 */
export function useSaidBy(
  insights: readonly Insight[] | undefined,
  { customer, attributes }: Filter,
): readonly Insight[] | undefined {
  const asked = customer || attributes
  const { data } = useQuery({
    // Not the list where nothing is asked: it would be written out.
    queryKey: ['customers', customer, attributes, asked && insights],
    queryFn: async () => (await import('./filters/attribute-filter.tsx')).readSaidBy(customer, attributes),
    enabled: !!asked,
    placeholderData: (previous) => previous,
  })
  return useMemo(
    () => (asked ? data && insights?.filter((one) => data.has(one.issue_number)) : insights),
    [insights, asked, data],
  )
}
