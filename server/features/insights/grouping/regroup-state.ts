import { type Changes, isEmerging, issues, type Revised, revise, type State } from '@groundswell/engine/index.ts'
import type { Overlap } from './protocol.ts'

/**
 * Revises all groups of a state in place. `settled`: see `revise`. `touched`: the insights whose mentions changed, and how many mentions each gained;
 * `overlaps`: of the shown insights before and after.
 */
export function regroupAll(
  state: State,
  settled: ReadonlySet<number>,
): {
  changes: Changes
  touched: Map<number, number>
  overlaps: Overlap[]
  suggestions: Revised['suggestions']
} {
  const before = shownIssues(state)
  const { suggestions, ...changes } = revise(state, { settled, untilStable: true })
  const touched = new Map<number, number>()
  for (const { from, to } of changes.moves) {
    if (from) touched.set(from, touched.get(from) ?? 0)
    if (to) touched.set(to, (touched.get(to) ?? 0) + 1)
  }
  for (const { issueId } of changes.events) touched.set(issueId, touched.get(issueId) ?? 0)
  return { changes, touched, overlaps: overlapsOf(before, shownIssues(state)), suggestions }
}

/** The insight that each mention is shown in. */
function shownIssues(state: State): Map<string, number> {
  const shown = new Map<string, number>()
  for (const issue of issues(state)) {
    if (issue.visible && !isEmerging(issue.issueId)) for (const id of issue.statementIds) shown.set(id, issue.issueId)
  }
  return shown
}

/** How the shown insights before and after overlap, in ascending order. */
function overlapsOf(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): Overlap[] {
  const counts = new Map<string, Overlap>()
  for (const id of new Set([...before.keys(), ...after.keys()])) {
    const [from, to] = [before.get(id) ?? 0, after.get(id) ?? 0]
    const found = counts.get(`${from}:${to}`)
    if (found) found.mentions++
    else counts.set(`${from}:${to}`, { from, to, mentions: 1 })
  }
  return [...counts.values()].sort((a, b) => a.from - b.from || a.to - b.to)
}
