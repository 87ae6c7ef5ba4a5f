import type { InsightFinder } from '@groundswell/contract/insights/insight-filter.ts'
import type { Insight } from '@groundswell/contract/insights.ts'
import { useEffect, useMemo, useState } from 'react'
import { PartNotLoaded, tellNotOpened } from '../../../ui/loading/missing-part.tsx'
import { useUserData } from '../../accounts/index.ts'
import type { Sort } from '../table/sort.ts'
import { arrange, arrangeNow } from './arrange.ts'
import type { Filter } from './filter.ts'
import { inIdleSlices } from './idle-slices.ts'

/** Up to this many insights are filtered and sorted in one go: that is faster than a frame. */
const AT_ONCE = 1_000

type FinderOf = (words: string) => InsightFinder
type Arranged = { list: readonly Insight[]; of: readonly Insight[]; filter: Filter; sort: Sort }

/**
 * The insights to show, in order. For a long list the previous order stays until the new one is ready, and so does the list without words until searching
 * is loaded; `working` reports that. Null until the first is ready.
 */
export function useArranged(
  insights: readonly Insight[] | undefined,
  filter: Filter,
  sort: Sort,
): { shown: readonly Insight[] | null; working: boolean } {
  const me = useUserData()?.account_id
  const [began] = useState(filter.words)
  const [finderOf, setFinderOf] = useState<FinderOf>()
  const waits = filter.words !== '' && !finderOf
  useEffect(() => {
    if (waits) void loadFinder().then((loaded) => setFinderOf(() => loaded))
  }, [waits])
  const given = waits && began ? undefined : insights
  const short = given !== undefined && given.length <= AT_ONCE
  const now = useMemo(
    () => (given && short ? arrangeNow(given, filter, sort, me, finderOf?.(filter.words)) : null),
    [given, short, filter, sort, me, finderOf],
  )
  const [later, setLater] = useState<Arranged | null>(null)
  useEffect(() => {
    if (!given || short) return
    const stop = new AbortController()
    void inIdleSlices(arrange(given, filter, sort, me, finderOf?.(filter.words)), stop.signal).then((list) => {
      if (list) setLater({ list, of: given, filter, sort })
    })
    return () => stop.abort()
  }, [given, short, filter, sort, me, finderOf])
  if (now) return { shown: now, working: waits }
  if (!given) return { shown: null, working: false }
  const ready = later?.of === given && later.filter === filter && later.sort === sort
  return { shown: later?.list ?? null, working: waits || !ready }
}

/** What finds words in insights. Where its code cannot be loaded, every insight is found. */
async function loadFinder(): Promise<FinderOf> {
  try {
    return (await import('@groundswell/contract/insights/insight-words.ts')).insightFinder
  } catch (error) {
    tellNotOpened(new PartNotLoaded(error))
    return () => null
  }
}
