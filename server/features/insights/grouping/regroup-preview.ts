import type { SwitchExample, SwitchPreview } from '@groundswell/contract/models/embeddings.ts'
import type { Overlap } from './protocol.ts'

const MAX_EXAMPLES = 5

/** How a regrouping changes the shown insights: counts and some examples. `names`: of insights before and after, by number. */
export function previewOf(overlaps: readonly Overlap[], names: ReadonlyMap<number, string>): SwitchPreview {
  const before = totals(overlaps, (one) => one.from)
  const after = totals(overlaps, (one) => one.to)
  const nameOf = (issue: number) => names.get(issue) ?? ''
  const lists: Record<SwitchExample['kind'] | 'same', SwitchExample[]> = {
    same: [],
    changed: [],
    merged: [],
    ended: [],
    born: [],
    split: [],
  }
  const put = (kind: SwitchExample['kind'] | 'same', issue: number, others: number[]) =>
    lists[kind].push({
      kind: kind === 'same' ? 'changed' : kind,
      issue_number: before.has(issue) ? issue : null,
      name: nameOf(issue),
      others: others.map(nameOf),
      mentions_before: before.get(issue) ?? 0,
      mentions_after: after.get(issue) ?? 0,
    })
  for (const [issue, mentions] of before) {
    if (after.has(issue)) {
      const moves = overlaps.some(({ from, to }) => from !== to && (from === issue || to === issue))
      put(moves ? 'changed' : 'same', issue, [])
      continue
    }
    const into = largest(overlaps.filter((one) => one.from === issue && one.to !== 0))
    if (into && into.mentions * 2 >= mentions) put('merged', issue, [into.to])
    else put('ended', issue, [])
  }
  for (const [issue, mentions] of after) {
    if (before.has(issue)) continue
    const out = largest(overlaps.filter((one) => one.to === issue && one.from !== 0))
    if (out && out.mentions * 2 >= mentions) put('split', issue, [out.from])
    else put('born', issue, [])
  }
  const sum = (some: readonly Overlap[]) => some.reduce((total, one) => total + one.mentions, 0)
  const size = (one: SwitchExample) => Math.max(one.mentions_before, one.mentions_after)
  const shown = (['merged', 'split', 'born', 'ended', 'changed'] as const).flatMap((kind) =>
    lists[kind].sort((a, b) => size(b) - size(a)).slice(0, MAX_EXAMPLES),
  )
  return {
    insights_before: before.size,
    insights_after: after.size,
    same: lists.same.length,
    changed: lists.changed.length,
    born: lists.born.length,
    ended: lists.ended.length,
    merged: lists.merged.length,
    split: lists.split.length,
    mentions: sum(overlaps),
    mentions_moved: sum(overlaps.filter(({ from, to }) => from !== to)),
    examples: shown,
  }
}

function totals(overlaps: readonly Overlap[], of: (one: Overlap) => number): Map<number, number> {
  const counts = new Map<number, number>()
  for (const one of overlaps) if (of(one) !== 0) counts.set(of(one), (counts.get(of(one)) ?? 0) + one.mentions)
  return counts
}

function largest(overlaps: readonly Overlap[]): Overlap | undefined {
  return [...overlaps].sort((a, b) => b.mentions - a.mentions || a.to - b.to || a.from - b.from)[0]
}
