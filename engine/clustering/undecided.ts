import { isOpen } from '../corrections/advice.ts'
import { heirOf } from '../corrections/rules.ts'
import { featuresOf, type Issue, type Node, type State } from '../state/state.ts'
import { Finder, type Near } from './candidates.ts'
import { Lengths } from './lengths.ts'

/** A waiting statement that was nearly joined to an issue. `examples`: what that issue's statements say, the nearest first. */
export type Undecided = { statementId: string; text: string; issueId: number; score: number; examples: string[] }

/** From this similarity on, it is worth asking whether two say the same. */
const WORTH_ASKING = 0.4
const EXAMPLES = 3

/**
 * The waiting statements that a shown issue nearly took, the nearest first, at most `limit`: each with the issue whose
 * statements it is nearest to. Left out are those that people spoke about, issues that are locked, and what `asked`
 * answers true for. Changes nothing.
 */
export function undecided(
  state: State,
  limit: number,
  asked: (statementId: string, issueId: number) => boolean = () => false,
): Undecided[] {
  const finder = new Finder(state, new Lengths())
  const found: (Undecided & { index: number })[] = []
  state.nodes.forEach((node, index) => {
    if (!node || node.issue !== 0 || node.pin >= 0 || node.text === '') return
    const first = node.followers[0]
    if (first === undefined || state.statementEchoes[first] === 1) return
    const near = finder
      .nearest(featuresOf(state, index))
      .filter((one) => one.node !== index && one.score >= WORTH_ASKING)
    const best = nearestOpen(state, node, near)
    if (!best) return
    const statementId = state.statementIds[first] as string
    if (asked(statementId, best.issueId)) return
    const examples = examplesOf(state, state.issues.get(best.issueId) as Issue, near)
    if (examples.length > 1) found.push({ statementId, text: node.text, ...best, examples, index })
  })
  found.sort((a, b) => b.score - a.score || a.index - b.index)
  return found.slice(0, Math.max(0, limit)).map(({ index: _index, ...one }) => one)
}

/** The issue that speaks loudest among what is near, unless a person rejected from it what is at least as near. */
function nearestOpen(state: State, node: Node, near: readonly Near[]): { issueId: number; score: number } | null {
  const sums = new Map<number, { sum: number; best: number }>()
  const rejected = new Map<number, number>()
  let outside = 0
  for (const { node: other, score } of near) {
    const { issue, pin, bans } = state.nodes[other] as Node
    if (pin === 0) outside = Math.max(outside, score)
    for (const banned of bans) {
      const issueId = heirOf(state, banned)
      rejected.set(issueId, Math.max(score, rejected.get(issueId) ?? 0))
    }
    if (issue === 0) continue
    const one = sums.get(issue) ?? { sum: 0, best: 0 }
    sums.set(issue, { sum: one.sum + score, best: Math.max(one.best, score) })
  }
  let winner: { issueId: number; score: number } | null = null
  let most = 0
  for (const [issueId, { sum, best }] of sums) {
    if (!state.issues.get(issueId)?.visible || !isOpen(state, node, issueId)) continue
    if (outside >= best || (rejected.get(issueId) ?? 0) >= best || sum <= most) continue
    most = sum
    winner = { issueId, score: Math.round(best * 1_000) / 1_000 }
  }
  return winner
}

/** What the nearest statements of an issue say, then the ones that it is shown by, then any. */
function examplesOf(state: State, issue: Issue, near: readonly Near[]): string[] {
  const nearest = near.filter((one) => state.nodes[one.node]?.issue === issue.id).map((one) => one.node)
  const shown = (issue.shown?.quotes ?? []).map((statement) => state.statementNodes[statement] as number)
  const texts = new Set<string>()
  for (const index of [...nearest.slice(0, 2), ...shown, ...nearest.slice(2), ...issue.nodes]) {
    const text = state.nodes[index]?.text ?? ''
    if (text !== '') texts.add(text)
    if (texts.size === EXAMPLES) break
  }
  return [...texts]
}
