import type { Changes } from '../model.ts'
import { describeIssues } from '../naming/describe.ts'
import { ChangeRecorder } from '../state/recorder.ts'
import { featuresOf, type Node, type State } from '../state/state.ts'
import { similarity } from '../text/weights.ts'
import { isBanned, successorOf } from './rules.ts'

/** Why a model's word moved a statement. */
export const REASON_MODEL = 'a language model said that one change would resolve both'

/** That a statement belongs to an issue, by a language model; `score` is the similarity that made it worth asking. */
export type Advice = { statementId: string; issueId: number; score: number }

/**
 * Puts waiting statements where a language model said they belong, and keeps them there: revisions leave them in that issue,
 * or take them along where most of it goes. That is weaker than anything a person says: of the statement itself, of one like
 * it, or of the issue. It is gone when the statement is forgotten and when the issue ends. Advice that does not fit
 * any more (no longer waiting, the issue gone, deleted or locked, a person spoke) is passed over. Changes the state in
 * place and returns what the caller must store, with the statements that were put.
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
  const changes = recorder.changes()
  if (touched.size > 0) describeIssues(state, touched)
  return { ...changes, taken }
}

/** Whether a waiting statement may be put into an issue by anything but a person. */
export function canJoin(state: State, node: Node, issueId: number): boolean {
  const issue = state.issues.get(issueId)
  if (!issue || issue.nodes.size === 0 || issue.removed || issue.locked) return false
  return node.issue === 0 && node.pin < 0 && !isBanned(state, node, issueId)
}

/** What a revision must know of advice. */
type ActiveAdvice = {
  /** whether a node is where a model put it */
  holds(index: number): boolean
  /** to be called when all others were moved: nobody is left alone in an issue that the others have left */
  release(recorder: ChangeRecorder): void
}

/** The advice that holds now. Forgets what means nothing any more. */
export function activeAdvice(state: State): ActiveAdvice {
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
  const all = new Set([...held.values()].flat())
  const others = new Map(
    [...held.keys()].map((issue) => [
      issue,
      [...(state.issues.get(issue)?.nodes ?? [])].filter((one) => !all.has(one)),
    ]),
  )
  return {
    holds: (index) => all.has(index),
    release(recorder) {
      for (const [issue, indices] of held) {
        const company = others.get(issue) ?? []
        if (company.some((other) => state.nodes[other]?.issue === issue)) continue
        const to = majorityIssue(state, company)
        for (const index of indices) {
          if (state.nodes[index]?.issue !== issue) continue
          if (to > 0) recorder.move(index, to, maxSimilarity(state, index, to), REASON_MODEL)
          else recorder.move(index, 0, 0)
        }
      }
    },
  }
}

/** The issue that holds most of these now; 0: most wait, or there are none. */
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
