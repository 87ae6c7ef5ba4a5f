import type { Insight } from '@groundswell/contract/insights.ts'
import { useEffect, useMemo, useState } from 'react'
import { useUserData } from '../../accounts/index.ts'
import type { Sort } from '../table/sort.ts'
import { arrange, arrangeNow } from './arrange.ts'
import type { Filter } from './filter.ts'
import { inIdleSlices } from './idle-slices.ts'

/** Up to this many insights are filtered and sorted in one go: that is faster than a frame. */
const AT_ONCE = 1_000

type Arranged = { list: readonly Insight[]; of: readonly Insight[]; filter: Filter; sort: Sort }

/**
 * The insights to show, in order. For a long list the previous order stays until the new one is ready; `working` reports that. Null
 * until the first is ready.
 */
export function useArranged(
  insights: readonly Insight[] | undefined,
  filter: Filter,
  sort: Sort,
): { shown: readonly Insight[] | null; working: boolean } {
  const me = useUserData()?.account_id
  const short = insights !== undefined && insights.length <= AT_ONCE
  const now = useMemo(
    () => (insights && short ? arrangeNow(insights, filter, sort, me) : null),
    [insights, short, filter, sort, me],
  )
  const [later, setLater] = useState<Arranged | null>(null)
  useEffect(() => {
    if (!insights || short) return
    const stop = new AbortController()
    void inIdleSlices(arrange(insights, filter, sort, me), stop.signal).then((list) => {
      if (list) setLater({ list, of: insights, filter, sort })
    })
    return () => stop.abort()
  }, [insights, short, filter, sort, me])
  if (now) return { shown: now, working: false }
  if (!insights) return { shown: null, working: false }
  const ready = later?.of === insights && later.filter === filter && later.sort === sort
  return { shown: later?.list ?? null, working: !ready }
}
