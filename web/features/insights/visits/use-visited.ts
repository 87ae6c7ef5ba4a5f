import type { Insight } from '@groundswell/contract/insights.ts'
import { useMemo } from 'react'
import type { ChangeGroup } from './change-groups.ts'
import { type Changes, useChanges, useSince } from './visit-queries.ts'

type Visited = {
  /** When the previous visit ended; null: there is nothing to compare with. */
  since: string | null
  changes: Changes | null | undefined
  /** The insights of the chosen group, or all of them without one; undefined until it is known which they are. */
  members: readonly Insight[] | undefined
  /** By how many mentions each has more since, or below 0 fewer, by issue number. */
  added: ReadonlyMap<number, number>
}

/** What changed in the list since the person's last visit. Nothing is requested until the list is `settled`, unless a group is chosen. */
export function useVisited(
  insights: readonly Insight[] | undefined,
  group: ChangeGroup | null,
  settled: boolean,
): Visited {
  const since = useSince(settled)
  const changes = useChanges(since, settled || group !== null)
  const numbers = group === null ? null : changes?.[group]
  const members = useMemo(() => {
    if (group === null || changes === null) return insights
    if (!numbers) return undefined
    const chosen = new Set(numbers)
    return insights?.filter((one) => chosen.has(one.issue_number))
  }, [insights, group, changes, numbers])
  const changed = changes?.changed
  const added = useMemo(() => new Map(changed?.map((one) => [one.issue_number, one.count])), [changed])
  return { since, changes, members, added }
}
