import type { Insight } from '@groundswell/contract/insights.ts'
import type { QueryClient } from '@tanstack/react-query'
import { INSIGHTS } from '../insight-queries.ts'
import { DETAIL } from '../panel/detail-query.ts'
import { EVIDENCE } from '../panel/evidence-query.ts'
import { SUGGESTIONS } from '../suggestions/suggestions-query.ts'

/** Refetches the details, evidence and suggestions of the insights in the list. Nothing is requested for one that has ended. */
export function refreshListed(client: QueryClient): void {
  const listed = new Set(client.getQueryData<Insight[]>(INSIGHTS)?.map((one) => one.issue_number))
  for (const key of [DETAIL, EVIDENCE, SUGGESTIONS]) {
    void client.invalidateQueries({
      queryKey: [key],
      predicate: ({ queryKey }) => typeof queryKey[1] === 'number' && listed.has(queryKey[1]),
    })
  }
}
