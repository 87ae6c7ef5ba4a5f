import { type Changes, isEmerging } from '../model.ts'
import { describeIssues } from '../naming/describe.ts'
import { nodeTone, opposesIssue } from '../state/node-tone.ts'
import { ChangeRecorder } from '../state/recorder.ts'
import { countItems, featuresOf, type Issue, itemIdOf, type Node, type State } from '../state/state.ts'
import { similarity } from '../text/weights.ts'
import { nodesWithRejections, removeRejected } from './rejections.ts'
import { isBanned, isParted, successorOf } from './rules.ts'

/** The reason of a move by a language model. */
export const REASON_MODEL = 'a language model said that one change would resolve both'

/**
 * A language model's decision that a statement belongs to an issue; `score` is the similarity for which it was asked.
 */
export type Advice = { statementId: string; issueId: number; score: number }

/**
 * Puts pending statements where a language model placed them. Revisions keep them in that issue, or move them along
 * with most of it. Weaker than any constraint by a person on the statement, on a similar one, or on the issue;
 * dropped when the statement is forgotten or the issue ends. Advice that no longer applies (not pending, issue gone,
 * deleted or locked, rule by a person) is skipped. Changes the state in place; returns what the caller must store,
 * and the statements that moved.
 */
export function advise(state: State, advice: readonly Advice[]): Changes & { taken: string[] } {
  const recorder = new ChangeRecorder(state)
  const taken: string[] = []
  const touched = new Set<number>()
  for (const { statementId, issueId, score } of advice) {
    const statement = state.statementIndex.get(statementId)
    if (statement === undefined) continue
    const index = state.statementNodes[statement] as number
    const node = state.nodes[index]
    const target = successorOf(state, issueId)
    if (!node || node.followers[0] !== statement || !canJoin(state, node, target)) continue
    state.advice.set(statementId, target)
    recorder.move(index, target, score, REASON_MODEL)
    taken.push(statementId)
    touched.add(target)
  }
  removeRejected(state, nodesWithRejections(state), recorder)
  const changes = recorder.changes()
  if (touched.size > 0) describeIssues(state, touched)
  return { ...changes, taken: taken.filter((statementId) => keepAdvice(state, statementId)) }
}

/**
 * Puts statements that a language model said belong together into an emerging issue, one for each group, and holds them there as `advise`
 * does. Statements may be pending, or in an emerging issue: if the group has most of that, it continues it. A group of which fewer than two
 * messages can still be moved is skipped.
 */
export function foundEmerging(
  state: State,
  groups: readonly { statementIds: readonly string[]; score: number }[],
): Changes & { taken: { statementId: string; issueId: number }[] } {
  const recorder = new ChangeRecorder(state)
  const taken: { statementId: string; issueId: number }[] = []
  const touched = new Set<number>()
  for (const { statementIds, score } of groups) {
    const free = statementIds.flatMap((statementId) => {
      const statement = state.statementIndex.get(statementId)
      const index = statement === undefined ? -1 : (state.statementNodes[statement] as number)
      const node = state.nodes[index]
      const isDismissed = state.issues.get(node?.issue ?? 0)?.removed === true
      const isFree = node && (node.issue === 0 || isEmerging(node.issue)) && node.pin < 0 && !isDismissed
      return isFree && node.followers[0] === statement ? [{ statementId, index, from: node.issue }] : []
    })
    if (new Set(free.map(({ statementId }) => itemIdOf(statementId))).size < 2) continue
    const continued = mostOf(
      state,
      free.map(({ index }) => index),
    )
    const issueId = continued || state.nextEmerging++
    if (!continued) recorder.recordBirth(issueId)
    touched.add(issueId)
    for (const { statementId, index, from } of free) {
      touched.add(from)
      state.advice.set(statementId, issueId)
      recorder.move(index, issueId, score, REASON_MODEL)
      taken.push({ statementId, issueId })
    }
  }
  removeRejected(state, nodesWithRejections(state), recorder)
  const changes = recorder.changes()
  if (touched.size > 0) describeIssues(state, touched)
  return { ...changes, taken: taken.filter(({ statementId }) => keepAdvice(state, statementId)) }
}

/** Drops the advice on a statement that is in no issue; returns whether it was kept. */
function keepAdvice(state: State, statementId: string): boolean {
  const statement = state.statementIndex.get(statementId) as number
  const node = state.nodes[state.statementNodes[statement] as number]
  if (node && node.issue > 0) return true
  state.advice.delete(statementId)
  return false
}

/** The emerging issue that has at least half of its nodes among these; 0: none. */
function mostOf(state: State, indices: readonly number[]): number {
  const counts = new Map<number, number>()
  for (const index of indices) {
    const issue = state.issues.get(state.nodes[index]?.issue ?? 0)
    if (issue && !issue.removed && !issue.locked) counts.set(issue.id, (counts.get(issue.id) ?? 0) + 1)
  }
  const [most] = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0])
  return most && most[1] * 2 >= (state.issues.get(most[0])?.nodes.size ?? 0) ? most[0] : 0
}

/** Whether something other than a person's decision may put a statement into an issue that is in none, or in an emerging one. */
export function canJoin(state: State, node: Node, issueId: number): boolean {
  const issue = state.issues.get(issueId)
  if (!issue || issue.nodes.size === 0 || issue.removed || issue.locked) return false
  const isFree = (node.issue === 0 || isEmerging(node.issue)) && node.pin < 0
  if (!isFree || isBanned(state, node, issueId) || isParted(state, node, issueId)) return false
  return !opposesIssue(state, nodeTone(node), issueId)
}

/** The advice that a revision must respect. */
type ActiveAdvice = {
  /** whether a model put this node where it is */
  holds(index: number): boolean
  /** notes that a node which a model put into an emerging issue is like this issue */
  note(index: number, issueId: number): void
  /** call after all other moves: moves statements out of an issue that the others have left */
  release(recorder: ChangeRecorder): void
}

/** The advice in force. Drops advice whose statement or issue is gone. */
export function activeAdvice(state: State): ActiveAdvice {
  const held = heldByIssue(state)
  const all = new Set([...held.values()].flat())
  const companyOf = new Map(
    [...held.keys()].map((issue) => [
      issue,
      [...(state.issues.get(issue)?.nodes ?? [])].filter((one) => !all.has(one)),
    ]),
  )
  const alike = new Map<number, number>()
  return {
    holds: (index) => all.has(index),
    note: (index, issueId) => void alike.set(index, issueId),
    release(recorder) {
      for (const [issue, indices] of held) {
        const company = companyOf.get(issue) ?? []
        if (company.some((other) => state.nodes[other]?.issue === issue)) continue
        const left = indices.filter((index) => state.nodes[index]?.issue === issue)
        const isFounded = company.length === 0
        const to = isFounded ? alikeToMost(state, left, alike) : majorityIssue(state, company)
        if (to === 0 && isFounded && countItems(state, state.issues.get(issue) as Issue, 2) >= 2) continue
        for (const index of left) {
          const node = state.nodes[index] as Node
          const mayFollow = to > 0 && !isBanned(state, node, to) && !isParted(state, node, to)
          if (mayFollow) recorder.move(index, to, maxSimilarity(state, index, to), REASON_MODEL)
          else recorder.move(index, 0, 0)
        }
      }
    },
  }
}

/** The nodes that a model put where they are, by issue. */
function heldByIssue(state: State): Map<number, number[]> {
  const held = new Map<number, number[]>()
  for (const [statementId, issueId] of state.advice) {
    const statement = state.statementIndex.get(statementId)
    const issue = successorOf(state, issueId)
    if (statement === undefined || !state.issues.has(issue)) {
      state.advice.delete(statementId)
      continue
    }
    const index = state.statementNodes[statement] as number
    const node = state.nodes[index]
    if (!node || node.issue !== issue || node.pin >= 0 || node.followers[0] !== statement) continue
    held.set(issue, [...(held.get(issue) ?? []), index])
  }
  return held
}

/** The issue that at least half of these nodes are similar to: the group that a model founded becomes part of it as a whole. 0: none. */
function alikeToMost(state: State, indices: readonly number[], alike: ReadonlyMap<number, number>): number {
  const counts = new Map<number, number>()
  for (const index of indices) {
    const issueId = alike.get(index) ?? 0
    const { removed = true, locked = true } = state.issues.get(issueId) ?? {}
    if (!removed && !locked) counts.set(issueId, (counts.get(issueId) ?? 0) + 1)
  }
  const [most] = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0])
  return most && most[1] * 2 >= indices.length ? most[0] : 0
}

/** The issue that holds most of these nodes now; 0 if most are pending or there are none. */
function majorityIssue(state: State, indices: readonly number[]): number {
  const weights = new Map<number, number>()
  for (const index of indices) {
    const { issue, followers } = state.nodes[index] as Node
    weights.set(issue, (weights.get(issue) ?? 0) + followers.length)
  }
  return [...weights].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0]?.[0] ?? 0
}

function maxSimilarity(state: State, index: number, issueId: number): number {
  const features = featuresOf(state, index)
  let best = 0
  for (const other of state.issues.get(issueId)?.nodes ?? []) {
    best = Math.max(best, similarity(features, featuresOf(state, other), state.vocabulary))
  }
  return best
}
