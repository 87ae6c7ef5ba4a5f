import { canJoin } from '../corrections/advice.ts'
import { type Candidate, isEmerging } from '../model.ts'
import { type ChangeRecorder, REASON_MEANING } from '../state/recorder.ts'
import { isGroupable, type Node, type State } from '../state/state.ts'
import { dotAt } from '../text/dot.ts'
import { SENTENCE, sentenceRows, type VectorRows } from '../text/vector-rows.ts'
import { topCandidates } from './assign.ts'
import { tuningOf } from './communities.ts'
import { extraMeaning } from './point-strictness.ts'
import { LOOSE_SLOPE, minSimilarity } from './similarity/min-similarity.ts'

/** The best issue must be this much nearer than the second. */
const MIN_LEAD = 0.02

/**
 * Lets pending nodes with a new sentence vector join the issue that their vectors are nearest to on average, and notes those that are near to
 * another pending one, for the next revision. Does nothing while words are compared alone.
 */
export function placeByMeaning(state: State, placed: readonly number[], recorder: ChangeRecorder): void {
  const isPending = (index: number) => {
    const node = state.nodes[index]
    return node?.issue === 0 && node.pin === -1 && isGroupable(node)
  }
  const pending = placed.filter(isPending)
  if (!state.bySentences || pending.length === 0) return
  const rows = sentenceRows(state.nodes.map((node) => node ?? {}))
  if (!rows) return
  const tuning = tuningOf(state)
  const least = minSimilarity(tuning.loose, state.vocabulary.texts, LOOSE_SLOPE)
  const means = issueMeans(state, rows)
  for (const index of pending) {
    if (rows.known[index] !== SENTENCE) continue
    const candidates = rankIssues(state, rows, means, index)
    const [best, second] = candidates
    const threshold = state.nodes[index]?.point === undefined ? least : least + extraMeaning(tuning)
    const isClear = best && best.score >= threshold && best.score >= (second?.score ?? 0) + MIN_LEAD
    if (isClear) {
      recorder.move(index, best.issueId, best.score, REASON_MEANING)
      recorder.addCandidates(new Map([[index, topCandidates(candidates)]]))
      if (isEmerging(best.issueId) && !state.issues.get(best.issueId)?.removed) state.pendingMatches++
    } else if (state.pendingMatches === 0 && isNearPending(state, rows, index, threshold)) state.pendingMatches++
  }
}

/** The mean vector of each issue: its dot product with another vector is the mean cosine to its members. */
function issueMeans(state: State, { dimensions, values, known }: VectorRows): Map<number, Float32Array> {
  const means = new Map<number, Float32Array>()
  for (const issue of state.issues.values()) {
    const isDismissed = issue.removed && isEmerging(issue.id)
    if ((!issue.visible && !isDismissed) || issue.locked) continue
    const mean = new Float32Array(dimensions)
    let count = 0
    for (const index of issue.nodes) {
      if (known[index] !== SENTENCE) continue
      count++
      for (let i = 0; i < dimensions; i++) mean[i] = (mean[i] as number) + (values[index * dimensions + i] as number)
    }
    if (count > 0)
      means.set(
        issue.id,
        mean.map((value) => value / count),
      )
  }
  return means
}

/** The issues that a node may join, most similar first. */
function rankIssues(
  state: State,
  { dimensions, values }: VectorRows,
  means: ReadonlyMap<number, Float32Array>,
  index: number,
): Candidate[] {
  const found: Candidate[] = []
  for (const [issueId, mean] of means) {
    if (canJoin(state, state.nodes[index] as Node, issueId))
      found.push({ issueId, score: dotAt(values, index * dimensions, mean, 0, dimensions) })
  }
  return found.sort((a, b) => b.score - a.score || a.issueId - b.issueId)
}

/** Whether another pending node has at least this cosine. One is enough for a revision, so that not all pairs are compared. */
function isNearPending(
  state: State,
  { dimensions, values, known }: VectorRows,
  index: number,
  threshold: number,
): boolean {
  return state.nodes.some(
    (node, other) =>
      other !== index &&
      node?.issue === 0 &&
      isGroupable(node) &&
      known[other] === SENTENCE &&
      dotAt(values, index * dimensions, values, other * dimensions, dimensions) >= threshold,
  )
}
