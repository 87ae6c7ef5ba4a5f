import type { Insight } from '@groundswell/contract/insights.ts'
import clsx from 'clsx'
import { count, signed } from '../../../ui/text/plural.ts'
import type { Sort } from '../table/sort.ts'
import { CHANGE_GROUPS, type ChangeGroup } from './change-groups.ts'
import { LARGEST_FIRST, offersLargestFirst } from './largest-first.ts'
import { sinceText } from './since-text.ts'
import type { Changes } from './visit-queries.ts'

const MEANINGS: Record<ChangeGroup, string> = {
  new: 'Created since your last visit',
  growing: 'At least 3 new mentions, a third more than before',
  quiet: 'Mentioned every week before, but not for two weeks',
  regressed: 'Mentioned again after they were resolved',
  resolved: 'Closed in the tracker',
}

type VisitStripProps = {
  insights: readonly Insight[]
  sort: Sort
  onSort: (sort: Sort) => void
  changes: Changes
  chosen: ChangeGroup | null
  onChoose: (group: ChangeGroup | null) => void
}

/**
 * In one line: what changed since the person's last visit. A group filters the table; chosen again, or with Escape, it shows all. After a large import,
 * the order by size is offered.
 */
export function VisitStrip({ insights, sort, onSort, changes, chosen, onChoose }: VisitStripProps) {
  const groups = CHANGE_GROUPS.filter((group) => changes[group].length > 0 || group === chosen)
  const mentions = changes.changed?.reduce((sum, one) => sum + one.count, 0)
  const [day, time] = sinceText(changes.since)
  // A phone has room for the day alone.
  const since = day ? (
    <>
      {day}
      <span className="max-md:hidden">, {time}</span>
    </>
  ) : (
    time
  )
  return (
    <section
      aria-label="Since your last visit"
      className="flex h-full items-center gap-2 overflow-x-auto px-4 text-small whitespace-nowrap text-muted md:px-6"
    >
      {groups.length > 0 || mentions ? (
        <>
          <span>Since {since}</span>
          {mentions ? (
            <span className="tabular-nums">
              {signed(mentions)} mention{mentions === 1 ? '' : 's'}
            </span>
          ) : null}
          {groups.map((group) => (
            <button
              key={group}
              type="button"
              title={MEANINGS[group]}
              aria-pressed={group === chosen}
              onClick={() => onChoose(group === chosen ? null : group)}
              className={clsx(
                'inline-flex h-7 shrink-0 items-center gap-1 rounded border px-2 font-medium tabular-nums',
                group === chosen
                  ? 'border-accent bg-accent-soft text-accent-strong'
                  : 'border-line bg-surface text-text hover:bg-hover',
              )}
            >
              {count(changes[group].length)} {group}
            </button>
          ))}
        </>
      ) : (
        <span>Nothing new since {since}</span>
      )}
      {offersLargestFirst(insights, sort) ? (
        <button
          type="button"
          title="Nearly everything was updated within the last hour: sort by mentions instead"
          onClick={() => onSort(LARGEST_FIRST)}
          className="inline-flex h-7 shrink-0 items-center rounded border border-line bg-surface px-2 font-medium text-text hover:bg-hover"
        >
          Largest first
        </button>
      ) : null}
    </section>
  )
}
