import { type Changes, isEmerging } from '../model.ts'
import { describeIssues } from '../naming/describe.ts'
import { ChangeRecorder } from '../state/recorder.ts'
import { featuresOfAll, type Issue, itemIdOf, MAX_EXEMPLARS, type Node, type State } from '../state/state.ts'
import type { Features } from '../text/features.ts'
import { similarity } from '../text/weights.ts'
import { canJoin } from './advice.ts'
import { nodesWithRejections, removeRejected } from './rejections.ts'
import { part, successorOf } from './rules.ts'

/** The reason of a statement that a review put into another issue. */
export const REASON_REVIEWED = 'a language model that reviewed another insight said that it belongs here'
/** The reason of a statement that a review took out of its issue. */
export const REASON_STRANGER = 'a language model that reviewed the insight said that it is about something else'
/** The reason of a statement whose issue a review merged into another one. */
export const REASON_SAME = 'a language model that reviewed both insights said that they are the same problem'

/** The fewest statements that stay in an issue, which are also at least half of them. */
const MIN_STAYING = 2
/** The fewest items that make a part. */
const MIN_PART = 2

/**
 * A language model's decision that a statement is not about the same as the rest of issue `from`. `to`: the issue it belongs to; 0: none.
 * `part`, from 1: strangers of one issue
 * with the same part are about one other thing, which becomes an issue of its own; absent: it is alone.
 */
export type ReviewMove = { statementId: string; from: number; to: number; part?: number }
/** Its decision that two issues are the same problem: all statements of `from` go into `into`. */
export type ReviewMerge = { from: number; into: number }

/** The moves and merges that reviews decided. */
export type ReviewDecisions = { moves: readonly ReviewMove[]; merges: readonly ReviewMerge[] }

/**
 * The changes to store. `taken`: the moves that were made, with `to` as it came to be: the new issue of a part, or 0 where the statement could
 * leave but not join. `merged`: the merges that were made, and the statements that moved.
 */
export type Reviewed = Changes & { taken: ReviewMove[]; merged: (ReviewMerge & { statementIds: string[] })[] }

/**
 * Moves statements out of the issues whose reviews said that they are about something else, and keeps them out: revisions do not put them back,
 * nor apart from the issue that they joined. Weaker than any decision of a person. Skipped are statements that are elsewhere now, that a
 * person placed or that speak for others, locked and deleted issues, single statements more alike to their issue than most of it (there the model
 * errs more often than the grouping does), and all moves out of an issue that would lose more than half. Two issues are merged only if neither is
 * locked or deleted, and no person placed a statement of the one that ends. Changes the state in place.
 */
export function review(state: State, { moves, merges }: ReviewDecisions): Reviewed {
  const recorder = new ChangeRecorder(state)
  const taken: ReviewMove[] = []
  const touched = new Set<number>()
  for (const [from, all] of Map.groupBy(moves, (one) => one.from)) {
    const issue = openIssue(state, from)
    if (!issue) continue
    const left = leaving(state, issue, all)
    const founded = foundParts(state, left, recorder)
    for (const { index, move } of left) {
      const target = founded.get(move.part ?? 0) ?? existingTarget(state, index, move)
      part(state, move.statementId, from)
      if (target > 0) state.advice.set(move.statementId, target)
      else state.advice.delete(move.statementId)
      recorder.move(index, target, 1, target > 0 ? REASON_REVIEWED : REASON_STRANGER)
      taken.push({ ...move, to: target })
      for (const other of followingMoves(state, index, all)) taken.push({ ...other, to: target })
      touched.add(from)
      if (target > 0) touched.add(target)
    }
  }
  const merged = merges.flatMap((merge) => mergeIssues(state, merge, recorder) ?? [])
  removeRejected(state, nodesWithRejections(state), recorder)
  const changes = recorder.changes()
  for (const { into } of merged) touched.add(into)
  if (touched.size > 0) describeIssues(state, touched)
  return { ...changes, taken, merged }
}

/** A regular issue that reviews may change. */
function openIssue(state: State, issueId: number): Issue | undefined {
  const issue = state.issues.get(issueId)
  return issue && !isEmerging(issueId) && !issue.removed && !issue.locked ? issue : undefined
}

/** The moves of statements that follow the first one of their node: they went with it. */
function followingMoves(state: State, index: number, moves: readonly ReviewMove[]): ReviewMove[] {
  const [, ...others] = (state.nodes[index] as Node).followers
  const ids = new Set(others.map((follower) => state.statementIds[follower] as string))
  return ids.size === 0 ? [] : moves.filter(({ statementId }) => ids.has(statementId))
}

/** A new issue for each part. */
function foundParts(state: State, left: readonly Leaving[], recorder: ChangeRecorder): Map<number, number> {
  const parts = new Set(left.flatMap(({ move }) => move.part ?? []))
  return new Map(
    [...parts].map((number) => {
      const founded = state.nextIssue++
      recorder.recordBirth(founded)
      return [number, founded]
    }),
  )
}

function existingTarget(state: State, index: number, { from, to }: ReviewMove): number {
  const target = to > 0 ? successorOf(state, to) : 0
  return target !== from && mayMoveTo(state, index, target) ? target : 0
}

function mayMoveTo(state: State, index: number, issueId: number): boolean {
  if (issueId === 0 || isEmerging(issueId)) return false
  const node = state.nodes[index] as Node
  return canJoin(state, { ...node, issue: 0 }, issueId)
}

/** Moves an issue as a whole; null when something of it may not move. */
function mergeIssues(
  state: State,
  { from, into }: ReviewMerge,
  recorder: ChangeRecorder,
): Reviewed['merged'][number] | null {
  const source = openIssue(state, from)
  const target = successorOf(state, into)
  if (!source || target === from || !openIssue(state, target)) return null
  const indices = [...source.nodes]
  const isFree = (index: number) => (state.nodes[index] as Node).pin < 0 && mayMoveTo(state, index, target)
  if (indices.length === 0 || !indices.every(isFree)) return null
  const statementIds = indices.flatMap((index) =>
    (state.nodes[index] as Node).followers.map((follower) => state.statementIds[follower] as string),
  )
  for (const index of indices) {
    const [first] = (state.nodes[index] as Node).followers
    if (first !== undefined) state.advice.set(state.statementIds[first] as string, target)
    recorder.move(index, target, 1, REASON_SAME)
  }
  return { from, into: target, statementIds }
}

type Leaving = { index: number; move: ReviewMove }

/** The nodes that leave an issue: those of parts, the largest first, then single ones, as long as half of the issue stays. */
function leaving(state: State, issue: Issue, moves: readonly ReviewMove[]): Leaving[] {
  const nodes = [...issue.nodes]
  const near = likeness(state, nodes)
  const median = [...near.values()].sort((a, b) => a - b)[Math.floor(near.size / 2)] ?? 0
  const chosen = new Map<number, ReviewMove>()
  for (const move of moves) {
    const statement = state.statementIndex.get(move.statementId)
    const index = statement === undefined ? -1 : (state.statementNodes[statement] as number)
    const node = state.nodes[index]
    if (!node || node.issue !== issue.id || node.pin >= 0 || node.followers[0] !== statement) continue
    // In a large issue one statement stands for similar ones, which the model has not seen: they stay together.
    if (nodes.length >= MAX_EXEMPLARS && node.followers.length > 1) continue
    chosen.set(index, move)
  }
  const all = [...chosen].map(([index, move]): Leaving => ({ index, move }))
  const byPart = Map.groupBy(all, ({ move }) => move.part)
  const parts = [...byPart].filter(([number, some]) => number !== undefined && countItems(state, some) >= MIN_PART)
  const isOfPart = new Set(parts.flatMap(([, some]) => some))
  const single = all
    .filter((one) => !isOfPart.has(one) && (near.get(one.index) as number) <= median)
    .map(({ index, move: { statementId, from, to } }): Leaving => ({ index, move: { statementId, from, to } }))
  const sizeOf = (some: readonly Leaving[]) =>
    some.reduce((sum, { index }) => sum + (state.nodes[index] as Node).followers.length, 0)
  const found: Leaving[] = []
  for (const some of [...parts.map(([, some]) => some).sort((a, b) => sizeOf(b) - sizeOf(a)), single]) {
    const lost = sizeOf(found) + sizeOf(some)
    const stays = issue.mentions - lost
    if (stays >= MIN_STAYING && stays >= lost) found.push(...some)
  }
  return found
}

function countItems(state: State, some: readonly Leaving[]): number {
  const followers = some.flatMap(({ index }) => (state.nodes[index] as Node).followers)
  return new Set(followers.map((follower) => itemIdOf(state.statementIds[follower] as string))).size
}

/** How similar each node is to the others, on average: by words and, where both have one, by vectors. */
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
