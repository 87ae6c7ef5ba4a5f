import { isEmerging } from '../model.ts'
import { comparedLanguage } from '../state/space.ts'
import { featuresOfAll, type Node, type State } from '../state/state.ts'
import type { Features } from '../text/features.ts'
import { type StatementVectors, statementVectors } from '../text/statement-vectors.ts'
import { type Graph, leiden } from './leiden.ts'
import { mergeLinkedClusters } from './linked-clusters.ts'
import { readPlaces } from './point-strictness.ts'
import type { Scope } from './scope.ts'
import { nearestPairs, type Pairs } from './similarity/nearest-pairs.ts'
import type { ProfileTuning } from './similarity/profiles.ts'
import { rescorePairs, smoothVectors } from './vector-smoothing.ts'

const MAX_NEIGHBOURS = 15
/** The neighbours are chosen among this many candidates. */
const MAX_CANDIDATES = 20
/** Pairs from this similarity on are considered for profile matching. */
const MIN_PROFILE_SIMILARITY = 0.3

/** How readily a revision groups statements. Tuned on CLINC150 and HWU64; `coherence` and `loose` also on companies' sets. */
export type Tuning = {
  /** minimum similarity of two statements for an edge */
  edge: number
  /** above 1: smaller groups */
  resolution: number
  /** edge weight between an issue's anchor and its statements, relative to the mean degree */
  anchor: number
  /** minimum similarity to the rest of the group for membership */
  member: number
  /** how much less suffices for current members, so that visible issues stay stable */
  slack: number
  /** edge weight is this power of the similarity */
  power: number
  /** minimum mean cosine within a group, where sentences are compared */
  coherence: number
  /** minimum mean cosine of groups found by meaning alone */
  loose: number
  /** the same between two points (`Statement.point`), which are short and similar in form; chosen on sets with readings */
  points: { edge: number; loose: number }
} & ProfileTuning

/** The tuning of states without sentence vectors, found on the labelled sets (`npm run bench:grouping`). */
export const TUNING: Tuning = {
  edge: 0.37,
  resolution: 0.45,
  anchor: 0.15,
  member: 0.58,
  slack: 0.12,
  power: 3,
  attach: 3,
  margin: 1.3,
  alike: 0.65,
  coherence: 0.38,
  loose: 0.53,
  points: { edge: 0.55, loose: 0.57 },
}

/** The same where sentences are compared: their vectors are more informative than words, so less is enough. */
const SENTENCE_TUNING: Tuning = { ...TUNING, member: 0.54, resolution: 0.3 }

/** The tuning of a state: sentences compare differently from words alone. */
export function tuningOf(state: State): Tuning {
  return state.bySentences ? SENTENCE_TUNING : TUNING
}

/**
 * How the statements in scope compare, whatever issue they are in: the similar pairs, vectors and features. `meaning`: vectors before
 * neighbours lent each other meaning, if sentences are compared; null: by words alone.
 */
export type Comparison = {
  pairs: Pairs
  vectors: StatementVectors
  features: Features[]
  meaning: StatementVectors | null
}

/** `labels`: the community of each statement in scope. */
export type Clustering = Comparison & { labels: Int32Array }

/** Compares the statements in scope. Most of the cost of a revision. */
export function compareStatements(state: State, scope: Scope, tuning: Tuning): Comparison {
  const nodes = scope.nodes.map((index) => state.nodes[index] as Node)
  const features = featuresOfAll(state, scope.nodes)
  if (!state.bySentences) for (const one of features) delete one.vector
  const statements = nodes.map((node, place) => ({
    features: features[place] as Features,
    language: comparedLanguage(node),
  }))
  const rawVectors = statementVectors(statements, state.vocabulary)
  const minScore = Math.min(MIN_PROFILE_SIMILARITY, tuning.edge)
  const candidatePairs = nearestPairs(features, state.vocabulary, MAX_CANDIDATES, minScore, rawVectors)
  const vectors = smoothVectors(rawVectors, candidatePairs)
  const pairs = rescorePairs(candidatePairs, features, state.vocabulary, vectors, MAX_NEIGHBOURS, minScore)
  return { pairs, vectors, features, meaning: state.bySentences ? rawVectors : null }
}

/**
 * Finds communities among the statements in scope. Each issue takes part as an anchor node, connected to its
 * statements, and the search starts from the existing issues: groups stay together unless new statements contradict
 * them. The same groups and statements give the same communities.
 */
export function findCommunities(
  state: State,
  scope: Scope,
  tuning: Tuning,
  comparison: Comparison = compareStatements(state, scope, tuning),
): Clustering {
  const { pairs, vectors } = comparison
  const nodes = scope.nodes.map((index) => state.nodes[index] as Node)
  const size = nodes.length
  /** Emerging issues have no say: their statements are free for issues. */
  const issueOf = ({ issue }: Node) => (isEmerging(issue) ? 0 : issue)
  const { power, edge, points } = tuning
  const isRead = readPlaces(state, scope)
  const leastOf = (pair: number) =>
    isRead[pairs.from[pair] as number] === 1 && isRead[pairs.to[pair] as number] === 1 ? points.edge : edge
  const weights = pairs.scores.map((score, pair) => (score < leastOf(pair) ? 0 : score ** power))
  const anchors = new Map<number, number>()
  for (const node of nodes)
    if (issueOf(node) > 0 && !anchors.has(node.issue)) anchors.set(node.issue, size + anchors.size)
  let sum = 0
  for (let p = 0; p < weights.length; p++) sum += 2 * (weights[p] as number)
  const pull = (tuning.anchor * sum) / Math.max(1, size)
  const total = size + anchors.size
  const start = new Int32Array(total)
  for (let i = 0; i < size; i++) {
    const issue = issueOf(nodes[i] as Node)
    start[i] = issue > 0 ? (anchors.get(issue) as number) : i
  }
  for (const anchor of anchors.values()) start[anchor] = anchor
  const graph = graphOf(total, { ...pairs, scores: weights }, nodes, anchors, pull)
  const communities = leiden(graph, {
    resolution: resolutionFor(tuning.resolution, size),
    seed: state.seed,
    start,
  })
  const labels = communities.subarray(0, size)
  const before = Int32Array.from(nodes, issueOf)
  mergeLinkedClusters(labels, pairs, weights, vectors, before)
  return { ...comparison, labels }
}

/**
 * The modularity resolution for a graph of this size. It grows with the square root of the size, so that typical
 * groups keep their size as a workspace grows. Below a few hundred statements it hardly grows, so that a handful that
 * all say the same is not split.
 */
function resolutionFor(resolution: number, size: number): number {
  return Math.max(1, (resolution * Math.sqrt(size) * size) / (size + 150))
}

function graphOf(total: number, pairs: Pairs, nodes: Node[], anchors: Map<number, number>, pull: number): Graph {
  const starts = new Int32Array(total + 1)
  const link = (visit: (a: number, b: number, weight: number) => void) => {
    for (let p = 0; p < pairs.from.length; p++) {
      const weight = pairs.scores[p] as number
      if (weight > 0) visit(pairs.from[p] as number, pairs.to[p] as number, weight)
    }
    if (pull <= 0) return
    nodes.forEach((node, i) => {
      const anchor = anchors.get(node.issue)
      if (anchor !== undefined) visit(i, anchor, pull)
    })
  }
  link((a, b) => {
    starts[a + 1] = (starts[a + 1] as number) + 1
    starts[b + 1] = (starts[b + 1] as number) + 1
  })
  for (let i = 0; i < total; i++) starts[i + 1] = (starts[i + 1] as number) + (starts[i] as number)
  const fill = starts.slice(0, total)
  const edges = starts[total] as number
  const targets = new Int32Array(edges)
  const weights = new Float32Array(edges)
  const put = (from: number, to: number, weight: number) => {
    const at = fill[from] as number
    targets[at] = to
    weights[at] = weight
    fill[from] = at + 1
  }
  link((a, b, weight) => {
    put(a, b, weight)
    put(b, a, weight)
  })
  return { size: total, starts, targets, weights }
}
