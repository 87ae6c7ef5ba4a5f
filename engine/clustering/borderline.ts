import { canJoin } from '../corrections/advice.ts'
import { successorOf } from '../corrections/rules.ts'
import { isEmerging } from '../model.ts'
import { featuresOf, type Issue, type Node, type State } from '../state/state.ts'
import { type Neighbour, NeighbourFinder } from './neighbour-finder.ts'
import { NormCache } from './norms.ts'

/** A pending statement that almost joined an issue. `examples`: texts of that issue, nearest first. */
export type BorderlineMatch = { statementId: string; text: string; issueId: number; score: number; examples: string[] }

/** From this similarity on it is worth asking whether two say the same. */
const MIN_SIMILARITY = 0.4
const MAX_EXAMPLES = 3

/**
 * The pending statements that a visible issue almost took, nearest first, at most `limit`, each with its best issue.
 * Leaves out statements with a rule, locked issues, and pairs for which `asked` is true. Changes nothing.
 */
export function borderlineMatches(
  state: State,
  limit: number,
  asked: (statementId: string, issueId: number) => boolean = () => false,
): BorderlineMatch[] {
  const finder = new NeighbourFinder(state, new NormCache())
  const found: (BorderlineMatch & { index: number })[] = []
  state.nodes.forEach((node, index) => {
    if (!node || node.issue !== 0 || node.pin >= 0 || node.text === '') return
    const first = node.followers[0]
    if (first === undefined || state.statementEchoes[first] === 1) return
    const near = finder
      .nearest(featuresOf(state, index))
      .filter((one) => one.node !== index && one.score >= MIN_SIMILARITY)
    const best = bestOpenIssue(state, node, near)
    if (!best) return
    const statementId = state.statementIds[first] as string
    if (asked(statementId, best.issueId)) return
    const examples = examplesOf(state, state.issues.get(best.issueId) as Issue, near)
    if (examples.length > 1) found.push({ statementId, text: node.text, ...best, examples, index })
  })
  found.sort((a, b) => b.score - a.score || a.index - b.index)
  return found.slice(0, Math.max(0, limit)).map(({ index: _index, ...one }) => one)
}

/** The issue with the most similarity among the neighbours, unless something rejected from it is at least as near. */
function bestOpenIssue(
  state: State,
  node: Node,
  near: readonly Neighbour[],
): { issueId: number; score: number } | null {
  const sums = new Map<number, { sum: number; best: number }>()
  const rejected = new Map<number, number>()
  let outside = 0
  for (const { node: other, score } of near) {
    const { issue, pin, bans } = state.nodes[other] as Node
    if (pin === 0) outside = Math.max(outside, score)
    for (const banned of bans) {
      const issueId = successorOf(state, banned)
      rejected.set(issueId, Math.max(score, rejected.get(issueId) ?? 0))
    }
    if (issue === 0 || isEmerging(issue)) continue
    const one = sums.get(issue) ?? { sum: 0, best: 0 }
    sums.set(issue, { sum: one.sum + score, best: Math.max(one.best, score) })
  }
  let winner: { issueId: number; score: number } | null = null
  let most = 0
  for (const [issueId, { sum, best }] of sums) {
    if (!state.issues.get(issueId)?.visible || !canJoin(state, node, issueId)) continue
    if (outside >= best || (rejected.get(issueId) ?? 0) >= best || sum <= most) continue
    most = sum
    winner = { issueId, score: Math.round(best * 1_000) / 1_000 }
  }
  return winner
}

/** Texts of an issue: the nearest ones, then those it is shown by, then any. */
function examplesOf(state: State, issue: Issue, near: readonly Neighbour[]): string[] {
  const nearest = near.filter((one) => state.nodes[one.node]?.issue === issue.id).map((one) => one.node)
  const shown = (issue.shown?.quotes ?? []).map((statement) => state.statementNodes[statement] as number)
  const texts = new Set<string>()
  for (const index of [...nearest.slice(0, 2), ...shown, ...nearest.slice(2), ...issue.nodes]) {
    const text = state.nodes[index]?.text ?? ''
    if (text !== '') texts.add(text)
    if (texts.size === MAX_EXAMPLES) break
  }
  return [...texts]
}
