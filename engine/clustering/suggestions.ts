import { canJoin } from '../corrections/advice.ts'
import { isBanned } from '../corrections/rules.ts'
import { isEmerging } from '../model.ts'
import { isGroupable, type Node, type State } from '../state/state.ts'
import { cosine, type StatementVectors } from '../text/statement-vectors.ts'
import { averageLinkage } from './average-linkage.ts'
import type { Tuning } from './communities.ts'
import { discountPoints, extraMeaning, readPlaces } from './point-strictness.ts'
import type { Scope } from './scope.ts'
import { meanCosines, meanCosinesTo } from './similarity/mean-cosines.ts'
import { LOOSE_SLOPE, minSimilarity } from './similarity/min-similarity.ts'

/** How far a suggestion may stay below the similarity that is required to join an issue. Of those further below, fewer than half are right. */
const MEMBER_SLACK = 0.05
/** Issues that one statement is suggested for. */
const MAX_ISSUES = 2
/** Suggestions of one issue. */
const MAX_MEMBERS = 20
/** Issues whose members a statement is compared with, the nearest on average. */
const MAX_COMPARED = 5
/** How similar a statement and an issue are: half the mean cosine to all members, half that to the nearest two. */
const NEAREST_MEMBERS = 2
/** How much it counts that an issue is nearer than the next one that a statement may belong to, and the lead that counts at most. */
const LEAD_WEIGHT = 0.5
const MAX_LEAD = 0.1

/** A statement that may belong to an issue, and how likely that is relative to others: 0 to 1. */
export type MemberSuggestion = { issueId: number; statementId: string; score: number }

/** Issues that look like one subject. `score`: how similar they are on average. */
export type MergeSuggestion = { issueIds: number[]; score: number }

/** What a revision suggests to people about the issues in its scope, `issueIds`. Best first. */
export type Suggestions = { issueIds: number[]; members: MemberSuggestion[]; merges: MergeSuggestion[] }

type OpenIssue = { issueId: number; places: number[] }

/** Statements in no issue that may belong to one, and issues that may be one. `tuning`: of the revision. */
export function suggest(state: State, scope: Scope, vectors: StatementVectors, tuning: Tuning): Suggestions {
  const threshold = minSimilarity(tuning.loose, state.vocabulary.texts, LOOSE_SLOPE)
  const isRead = readPlaces(state, scope)
  const extra = extraMeaning(tuning)
  const minScore = (place: number) => threshold - MEMBER_SLACK + (isRead[place] === 1 ? extra : 0)
  const issues = openIssues(state, scope)
  return {
    issueIds: issues.map(({ issueId }) => issueId),
    members: suggestMembers(state, scope, vectors, issues, minScore),
    merges: suggestMerges(vectors, issues, threshold, (similarities, groups) =>
      discountPoints(similarities, groups, isRead, extra),
    ),
  }
}

function openIssues(state: State, scope: Scope): OpenIssue[] {
  const found = new Map<number, OpenIssue>()
  scope.nodes.forEach((index, place) => {
    const issueId = (state.nodes[index] as Node).issue
    const issue = state.issues.get(issueId)
    if (!issue?.visible || issue.removed || issue.locked || isEmerging(issueId)) return
    const one = found.get(issueId)
    if (one) one.places.push(place)
    else found.set(issueId, { issueId, places: [place] })
  })
  return [...found.values()]
}

function suggestMembers(
  state: State,
  scope: Scope,
  vectors: StatementVectors,
  issues: readonly OpenIssue[],
  minScoreOf: (place: number) => number,
): MemberSuggestion[] {
  const nodeAt = (place: number) => state.nodes[scope.nodes[place] as number] as Node
  const open = [...scope.nodes.keys()].filter((place) => isOpen(nodeAt(place)))
  const means = meanCosinesTo(
    vectors,
    open.map((place) => [place]),
    issues.map(({ places }) => places),
  )
  const ruled = [...scope.nodes.keys()].filter((place) => nodeAt(place).bans.length > 0)
  /** The highest cosine to a statement that a person rejected from the issue: similar statements are not suggested either. */
  const nearestRejected = (place: number, issueId: number) =>
    ruled.reduce(
      (most, other) => (isBanned(state, nodeAt(other), issueId) ? Math.max(most, cosine(vectors, place, other)) : most),
      Number.NEGATIVE_INFINITY,
    )
  const byIssue = new Map<number, MemberSuggestion[]>()
  open.forEach((place, row) => {
    const node = nodeAt(place)
    const minScore = minScoreOf(place)
    const statementId = state.statementIds[node.followers[0] as number] as string
    const ranked = issues
      .map(({ issueId, places }, column) => ({ issueId, places, mean: means[row * issues.length + column] as number }))
      .filter(({ issueId, mean }) => mean >= minScore / 2 && canJoin(state, node, issueId))
      .sort((a, b) => b.mean - a.mean || a.issueId - b.issueId)
      .slice(0, MAX_COMPARED)
      .map(({ issueId, places, mean }) => {
        const nearest = nearestMean(vectors, place, places)
        return { issueId, alike: (mean + nearest) / 2, nearest }
      })
      .filter(({ issueId, alike, nearest }) => alike >= minScore && nearest > nearestRejected(place, issueId))
      .sort((a, b) => b.alike - a.alike || a.issueId - b.issueId)
    ranked.slice(0, MAX_ISSUES).forEach(({ issueId, alike }, at) => {
      const lead = alike - (ranked[at === 0 ? 1 : 0]?.alike ?? 0)
      const score = alike + LEAD_WEIGHT * Math.min(MAX_LEAD, Math.max(-MAX_LEAD, lead))
      byIssue.set(issueId, [...(byIssue.get(issueId) ?? []), { issueId, statementId, score }])
    })
  })
  return [...byIssue.values()].flatMap((found) =>
    found
      .sort((a, b) => b.score - a.score)
      .slice(0, MAX_MEMBERS)
      .map(({ score, ...one }) => ({ ...one, score: Math.min(1, Math.max(0, Math.round(score * 1_000) / 1_000)) })),
  )
}

/** Whether a node is in no issue, and has a subject and a text to show. */
function isOpen(node: Node): boolean {
  const { text, issue, followers } = node
  return text !== '' && followers.length > 0 && isGroupable(node) && (issue === 0 || isEmerging(issue))
}

/** The mean cosine to the nearest two of these places, or to the only one. */
function nearestMean(vectors: StatementVectors, place: number, places: readonly number[]): number {
  const nearest = places
    .map((other) => cosine(vectors, place, other))
    .sort((a, b) => b - a)
    .slice(0, NEAREST_MEMBERS)
  return nearest.reduce((sum, one) => sum + one, 0) / Math.max(1, nearest.length)
}

function suggestMerges(
  vectors: StatementVectors,
  issues: readonly OpenIssue[],
  threshold: number,
  discount: (similarities: Float32Array, groups: readonly number[][]) => void,
): MergeSuggestion[] {
  const places = issues.map((issue) => issue.places)
  const similarities = meanCosines(vectors, places)
  const compared = similarities.slice()
  discount(compared, places)
  const roots = averageLinkage(
    compared,
    Int32Array.from(places, ({ length }) => length),
    threshold,
  )
  const groups = new Map<number, number[]>()
  roots.forEach((root, index) => {
    groups.set(root, [...(groups.get(root) ?? []), index])
  })
  return [...groups.values()]
    .filter((group) => group.length > 1)
    .map((group) => ({
      issueIds: group.map((index) => (issues[index] as OpenIssue).issueId),
      score: meanOfPairs(group, similarities, issues.length),
    }))
    .sort((a, b) => b.score - a.score)
}

function meanOfPairs(group: readonly number[], similarities: Float32Array, size: number): number {
  let sum = 0
  let pairs = 0
  for (const a of group) {
    for (const b of group) {
      if (a <= b) continue
      sum += similarities[a * size + b] as number
      pairs++
    }
  }
  return Math.round((1_000 * sum) / pairs) / 1_000
}
