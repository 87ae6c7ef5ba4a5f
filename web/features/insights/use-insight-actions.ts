import type { Insight } from '@groundswell/contract/insights.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import type { Push } from './insight-actions.ts'

const load = () => import('./insight-actions.ts')

/** Push and Delete. What does them is fetched once the list is there. `pushing`: the number of the insight on its way. */
export function useInsightActions(ready: boolean) {
  const client = useQueryClient()
  const [pushing, setPushing] = useState<number | null>(null)
  useEffect(() => {
    if (ready) void load()
  }, [ready])
  const push = useCallback(
    async (what: Push) => {
      setPushing(what.insight.issue_number)
      await (await load()).push(client, what)
      setPushing(null)
    },
    [client],
  )
  const remove = useCallback(async (insight: Insight) => (await load()).remove(client, insight), [client])
  return { push, remove, pushing }
}
