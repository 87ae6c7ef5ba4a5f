import { meanCosinesTo } from '../clustering/similarity/mean-cosines.ts'
import { canJoin } from '../corrections/advice.ts'
import { isBanned } from '../corrections/rules.ts'
import { isEmerging } from '../model.ts'
import { comparedLanguage } from '../state/space.ts'
import { featuresOfAll, type Issue, isEcho, isGroupable, type Node, type State } from '../state/state.ts'
import type { Features } from '../text/features.ts'
import { cosine, type StatementVectors, statementVectors } from '../text/statement-vectors.ts'
import { idOf, type JudgeRef } from './answers.ts'

/** A candidate for a statement. `texts`: its words, or those of members of an issue, nearest first. */
export type Ranked = { ref: JudgeRef; score: number; texts: string[] }

/** What a judge may be asked about, compared with each other: open statements, and issues by their newest members. */
export type Compared = {
  state: State
  nodes: Node[]
  vectors: StatementVectors
  /** number of open statements, which are the first places */
  open: number
  issues: { issue: Issue; places: number[] }[]
  /** what people rejected from issues or put into none */
  ruled: number[]
  /** mean cosine of each open statement and each issue */
  means: Float32Array
}

/** Open statements, the newest, and members of each issue, the newest, that are compared. */
const MAX_OPEN = 2_000
const MAX_MEMBERS = 12
const MAX_EXAMPLES = 2
/** Half of the score of an issue is the mean cosine to all members, half that to the nearest two. */
const NEAREST_MEMBERS = 2

/**
 * Whether a judge may say where a node belongs: it has a subject and words to show, and is in no issue, or in an emerging one for which no
 * judge or person has spoken.
 */
export function isOpen(state: State, node: Node): boolean {
  const { text, issue, pin, followers } = node
  const [first] = followers
  if (text === '' || pin >= 0 || first === undefined || isEcho(state, first) || !isGroupable(node)) return false
  return issue === 0 || (isEmerging(issue) && !state.issues.get(issue)?.removed && !isAdvised(state, node))
}

function isAdvised(state: State, node: Node): boolean {
  return state.advice.has(idOf(state, node))
}

/** Compares by sentences, or by words where the last revision did. */
export function compare(state: State): Compared {
  const open: number[] = []
  state.nodes.forEach((node, index) => {
    if (node && isOpen(state, node)) open.push(index)
  })
  const indices = open.slice(-MAX_OPEN)
  const count = indices.length
  const issues: Compared['issues'] = []
  for (const issue of state.issues.values()) {
    const members = isCandidate(state, issue) ? membersOf(state, issue) : []
    if (members.length === 0) continue
    issues.push({ issue, places: members.map((_, at) => indices.length + at) })
    indices.push(...members)
  }
  const ruled: number[] = []
  state.nodes.forEach((node, index) => {
    if (node && (node.pin === 0 || node.bans.length > 0)) ruled.push(indices.push(index) - 1)
  })
  const nodes = indices.map((index) => state.nodes[index] as Node)
  const features = featuresOfAll(state, indices)
  if (!state.bySentences) for (const one of features) delete one.vector
  const vectors = statementVectors(
    nodes.map((node, place) => ({ features: features[place] as Features, language: comparedLanguage(node) })),
    state.vocabulary,
  )
  const means = meanCosinesTo(
    vectors,
    Array.from({ length: count }, (_, place) => [place]),
    issues.map(({ places }) => places),
  )
  return { state, nodes, vectors, open: count, issues, ruled, means }
}

/** Whether an issue is a candidate. In an emerging one that no judge has confirmed, each statement is one instead. */
function isCandidate(state: State, issue: Issue): boolean {
  if (!issue.visible || issue.removed || issue.locked) return false
  return !isEmerging(issue.id) || [...issue.nodes].some((index) => isAdvised(state, state.nodes[index] as Node))
}

function membersOf(state: State, issue: Issue): number[] {
  return [...issue.nodes].filter((index) => state.nodes[index]?.text !== '').slice(-MAX_MEMBERS)
}

/**
 * The issues that the statement at this place may join, most similar first. Issues are left out if none of their members is nearer than something that a
 * person rejected from it or put into no issue.
 */
export function rankIssues(compared: Compared, place: number): Ranked[] {
  const { state, nodes, vectors, issues, means } = compared
  return issues
    .map((one, column) => ({ ...one, mean: means[place * issues.length + column] as number }))
    .filter(({ issue }) => canJoin(state, nodes[place] as Node, issue.id))
    .flatMap(({ issue, places, mean }) => {
      const nearest = places
        .map((other) => ({ text: (nodes[other] as Node).text, near: cosine(vectors, place, other) }))
        .sort((a, b) => b.near - a.near)
      if (nearestRuled(compared, place, issue.id) >= (nearest[0]?.near ?? 0)) return []
      const few = nearest.slice(0, NEAREST_MEMBERS)
      const score = (mean + few.reduce((sum, { near }) => sum + near, 0) / few.length) / 2
      return [{ ref: issue.id, score, texts: distinct(nearest.map(({ text }) => text)) }]
    })
    .sort((a, b) => b.score - a.score || a.ref - b.ref)
}

function nearestRuled({ state, nodes, vectors, ruled }: Compared, place: number, issueId: number): number {
  return ruled.reduce((most, other) => {
    const node = nodes[other] as Node
    const isAgainst = node.pin === 0 || isBanned(state, node, issueId)
    return other !== place && isAgainst ? Math.max(most, cosine(vectors, place, other)) : most
  }, Number.NEGATIVE_INFINITY)
}

/** The other open statements, most similar first. */
export function rankStatements({ state, nodes, vectors, open }: Compared, place: number): Ranked[] {
  const found: (Ranked & { other: number })[] = []
  for (let other = 0; other < open; other++) {
    if (other === place) continue
    const node = nodes[other] as Node
    found.push({ ref: idOf(state, node), score: cosine(vectors, place, other), texts: [node.text], other })
  }
  return found.sort((a, b) => b.score - a.score || a.other - b.other)
}

/** What an issue is shown by: its newest members. */
export function textsOf(state: State, issue: Issue): string[] {
  return distinct(
    membersOf(state, issue)
      .reverse()
      .map((index) => (state.nodes[index] as Node).text),
  )
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)].slice(0, MAX_EXAMPLES)
}
