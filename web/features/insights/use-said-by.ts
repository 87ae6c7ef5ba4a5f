import type { Insight } from '@groundswell/contract/insights.ts'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Filter } from './filters/filter.ts'

type SaidBy = {
  /** Undefined until it is known which they are. */
  insights: readonly Insight[] | undefined
  /** The list could not be read, or which of it they are. */
  failed: boolean
  retry: () => void
}
type List = Pick<UseQueryResult<readonly Insight[]>, 'data' | 'isPending' | 'refetch'>

/** Those of these insights of the list that the filter's customer mentioned and that have a mention with its values of attributes, or all without either. */
export function useSaidBy(
  list: List,
  insights: readonly Insight[] | undefined,
  { customer, attributes }: Filter,
): SaidBy {
  const asked = customer || attributes
  const { data, isError, refetch } = useQuery({
    // Not the list where nothing is asked: it would be written out.
    queryKey: ['customers', customer, attributes, asked && insights],
    queryFn: async () => (await import('./filters/attribute-filter.tsx')).readSaidBy(customer, attributes),
    enabled: !!asked,
    // Only while the list changes: another customer's insights are no answer.
    placeholderData: (previous, query) =>
      query?.queryKey[1] === customer && query.queryKey[2] === attributes ? previous : undefined,
  })
  const said = useMemo(
    () => (asked ? data && insights?.filter((one) => data.has(one.issue_number)) : insights),
    [insights, asked, data],
  )
  const lacksList = list.data === undefined && !list.isPending
  return {
    insights: said,
    failed: lacksList || (!!asked && isError),
    retry: () => void (lacksList ? list.refetch() : refetch()),
  }
}
