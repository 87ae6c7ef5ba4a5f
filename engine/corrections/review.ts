import { type Changes, isEmerging } from '../model.ts'
import { describeIssues } from '../naming/describe.ts'
import { ChangeRecorder } from '../state/recorder.ts'
import { featuresOfAll, type Issue, MAX_EXEMPLARS, type Node, type State } from '../state/state.ts'
import type { Features } from '../text/features.ts'
import { similarity } from '../text/weights.ts'
import { canJoin } from './advice.ts'
import { part, successorOf } from './rules.ts'

/** The reason of a statement that a review put into another issue. */
export const REASON_REVIEWED = 'a language model that reviewed another insight said that it belongs here'
/** The reason of a statement that a review took out of its issue. */
export const REASON_STRANGER = 'a language model that reviewed the insight said that it is about something else'

/** At least so many statements stay in an issue, and at least half of them. */
const MIN_STAYING = 2

/** A language model's decision that a statement is not about the same as the rest of issue `from`. `to`: the issue it belongs to; 0: none. */
export type ReviewMove = { statementId: string; from: number; to: number }

/**
 * Moves statements out of the issues whose reviews said that they are about something else, and keeps them out: revisions do not put them back,
 * nor apart from the issue that they joined. Weaker than any decision of a person. Skipped are statements that are elsewhere by now, that a
 * person placed or that speak for others, locked and deleted issues, those more alike to their issue than most of it (there the model errs
 * more often than the grouping does), and all moves out of an issue that would lose more than half. Changes the state in place; returns what
 * the caller must store, and the moves that were made, with `to` 0 where the statement could leave but not join.
 */
export function review(state: State, moves: readonly ReviewMove[]): Changes & { taken: ReviewMove[] } {
  const recorder = new ChangeRecorder(state)
  const taken: ReviewMove[] = []
  const touched = new Set<number>()
  for (const [from, all] of Map.groupBy(moves, (one) => one.from)) {
    const issue = state.issues.get(from)
    if (!issue || isEmerging(from) || issue.removed || issue.locked) continue
    for (const { index, move } of leaving(state, issue, all)) {
      const target = move.to > 0 ? successorOf(state, move.to) : 0
      part(state, move.statementId, from)
      const to = target !== from && mayMoveTo(state, index, target) ? target : 0
      if (to > 0) state.advice.set(move.statementId, to)
      else state.advice.delete(move.statementId)
      recorder.move(index, to, 1, to > 0 ? REASON_REVIEWED : REASON_STRANGER)
      taken.push({ ...move, to })
      touched.add(from)
      if (to > 0) touched.add(to)
    }
  }
  const changes = recorder.changes()
  if (touched.size > 0) describeIssues(state, touched)
  return { ...changes, taken }
}

function mayMoveTo(state: State, index: number, issueId: number): boolean {
  if (issueId === 0 || isEmerging(issueId)) return false
  const node = state.nodes[index] as Node
  return canJoin(state, { ...node, issue: 0 }, issueId)
}

/** The nodes that leave an issue; none when too many would. */
function leaving(state: State, issue: Issue, moves: readonly ReviewMove[]): { index: number; move: ReviewMove }[] {
  const nodes = [...issue.nodes]
  const near = likeness(state, nodes)
  const median = [...near.values()].sort((a, b) => a - b)[Math.floor(near.size / 2)] ?? 0
  const chosen = new Map<number, ReviewMove>()
  for (const move of moves) {
    const statement = state.statementIndex.get(move.statementId)
    const index = statement === undefined ? -1 : (state.statementNodes[statement] as number)
    const node = state.nodes[index]
    if (!node || node.issue !== issue.id || node.pin >= 0 || node.followers[0] !== statement) continue
    // In a large issue, what is like another statement follows it, and the model has not seen it.
    if (nodes.length >= MAX_EXEMPLARS && node.followers.length > 1) continue
    if ((near.get(index) as number) <= median) chosen.set(index, move)
  }
  const lost = [...chosen.keys()].reduce((sum, index) => sum + (state.nodes[index] as Node).followers.length, 0)
  const stays = issue.mentions - lost
  if (stays < MIN_STAYING || stays < lost) return []
  return [...chosen].map(([index, move]) => ({ index, move }))
}

/** How alike each node is to the others, on average: by words and, where both have one, by vectors. */
function likeness(state: State, nodes: readonly number[]): Map<number, number> {
  const features = featuresOfAll(state, nodes)
  return new Map(
    nodes.map((index, at) => {
      let sum = 0
      const own = features[at] as Features
      for (const [other, one] of features.entries()) {
        if (other !== at) sum += similarity(own, one, state.vocabulary) + cosineOf(own.vector, one.vector)
      }
      return [index, sum / Math.max(1, nodes.length - 1)]
    }),
  )
}

function cosineOf(a: ArrayLike<number> | undefined, b: ArrayLike<number> | undefined): number {
  if (!a || !b) return 0
  let product = 0
  let squares = 0
  let others = 0
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i] as number, b[i] as number]
    product += x * y
    squares += x * x
    others += y * y
  }
  return squares > 0 && others > 0 ? product / Math.sqrt(squares * others) : 0
}
