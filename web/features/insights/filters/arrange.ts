import { type InsightFinder, matcher } from '@groundswell/contract/insights/insight-filter.ts'
import type { Keyed } from '@groundswell/contract/insights/insight-order.ts'
import type { Insight } from '@groundswell/contract/insights.ts'
import { compareIn, type Sort, sortKey } from '../table/sort.ts'
import type { Filter } from './filter.ts'

const FILTERED_AT_ONCE = 50
const SORTED_AT_ONCE = 128

/**
 * The insights that pass the filter, in order. `me`: the account of the person who looks; `finds`: of the words of the filter. A generator that yields every few steps, so that its caller can let the screen
 * respond in between; it returns the list.
 */
export function* arrange(
  insights: readonly Insight[],
  filter: Filter,
  sort: Sort,
  me = '',
  finds?: InsightFinder,
  now = Date.now(),
): Generator<void, Insight[]> {
  const passes = matcher(filter, now, me, finds)
  const keyOf = sortKey(sort.column)
  let list: Keyed[] = []
  for (const [place, insight] of insights.entries()) {
    if (passes(insight)) list.push({ insight, key: keyOf(insight) })
    if (place % FILTERED_AT_ONCE === 0) yield
  }
  const compare = compareIn(sort)
  for (let from = 0; from < list.length; from += SORTED_AT_ONCE) {
    const piece = list.slice(from, from + SORTED_AT_ONCE).sort(compare)
    for (const [place, one] of piece.entries()) list[from + place] = one
    yield
  }
  for (let width = SORTED_AT_ONCE; width < list.length; width *= 2) list = yield* mergeRuns(list, width, compare)
  return list.map((one) => one.insight)
}

/** One round of a merge sort: runs of `width`, each in order, become runs of twice that. */
function* mergeRuns(
  list: readonly Keyed[],
  width: number,
  compare: (a: Keyed, b: Keyed) => number,
): Generator<void, Keyed[]> {
  const merged: Keyed[] = []
  for (let from = 0; from < list.length; from += 2 * width) {
    const middle = Math.min(from + width, list.length)
    const end = Math.min(from + 2 * width, list.length)
    let left = from
    let right = middle
    while (left < middle || right < end) {
      const one = list[left] as Keyed
      const other = list[right] as Keyed
      const takeLeft = right >= end || (left < middle && compare(one, other) <= 0)
      merged.push(takeLeft ? one : other)
      if (takeLeft) left += 1
      else right += 1
      if (merged.length % SORTED_AT_ONCE === 0) yield
    }
  }
  return merged
}

/** The same without interruption, for lists that are short enough. */
export function arrangeNow(...given: Parameters<typeof arrange>): Insight[] {
  const work = arrange(...given)
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}
