import { ForwardIndex } from '../clustering/similarity/forward-index.ts'
import { NormCache } from '../clustering/similarity/norms.ts'
import { Postings } from '../clustering/similarity/postings.ts'
import { FIRST_EMERGING, isEmerging, type Rule } from '../model.ts'
import { Boilerplate } from '../text/boilerplate.ts'
import { FeatureExtractor, type Features } from '../text/features.ts'
import type { Language } from '../text/language.ts'
import { Vocabulary } from '../text/vocabulary.ts'

/** At most this many statements of an issue are kept for comparison; the others follow their nearest kept one. */
export const MAX_EXEMPLARS = 50

/** A kept statement that others are compared with, and all statements that follow it. */
export type Node = {
  text: string
  language: Language
  /** what a language model read in the text: this is compared, see `Statement` */
  point?: string
  hash: number
  /** of the sentence encoder, if there is one for its language */
  vector?: Int8Array
  /** ms since 1970 of its first statement */
  at: number
  /** praise or small talk: it takes no part in grouping unless a person puts it into an issue */
  subjectless: boolean
  /** 0: pending */
  issue: number
  /** indices in the statement register; the first is the one whose text is kept */
  followers: number[]
  /** the issue a person put it in; 0: no issue; -1: unconstrained */
  pin: number
  /** issues it was rejected from */
  bans: number[]
  /** it was placed while sentences were compared: revisions by words alone leave it in its issue, see `setComparing` */
  meant?: boolean
}

/** The content of a new node. */
export type NewNode = Omit<Node, 'followers' | 'pin' | 'bans' | 'vector' | 'meant' | 'subjectless'> & {
  features: Features
  subjectless?: boolean
}

/** Name, summary and quotes of an issue, and its size when they were computed. `confident`: see `Description`. */
export type IssueDisplay = {
  name: string
  confident: boolean
  summary: string
  quotes: number[]
  hash: string
  size: number
}

/** An issue as the state holds it. Counts are of statements; `nodes` are positions in the list of nodes. */
export type Issue = {
  id: number
  removed: boolean
  visible: boolean
  /** revisions must leave it unchanged */
  locked: boolean
  nodes: Set<number>
  /** statements */
  mentions: number
  /** statements added or removed since the last revision */
  changed: number
  shown: IssueDisplay | null
}

/** Everything the engine knows about one workspace. Opaque to callers; engine functions change it in place. */
export class State {
  readonly seed: number
  /** the sentence encoder of its vectors; '' for none. See `useSpace` */
  space: string
  /** the languages that the encoder was made for: statements in others have no vector; null: all */
  spaceLanguages: readonly Language[] | null = null
  /** the last revision compared sentence vectors */
  bySentences = false
  vocabulary = new Vocabulary()
  boilerplate = new Boilerplate()
  featureExtractor = new FeatureExtractor(this.vocabulary)
  /** terms by node */
  forwardIndex = new ForwardIndex()
  postings = new Postings()
  /** null: a node dropped since the index was last built */
  nodes: (Node | null)[] = []
  /** how many of them are null */
  dropped = 0
  norms = new NormCache()
  /** use `nodeWithHash`: after a merge, the entry of a dropped node may remain */
  nodesByHash = new Map<number, number>()
  /** the statement register: ids, and the node of each, -1 for a free slot */
  statementIds: string[] = []
  statementNodes: number[] = []
  statementIndex = new Map<string, number>()
  /** of each statement, see `Echo` */
  statementEchoes: Echo[] = []
  freeStatements: number[] = []
  /** conversation id → first kept statement */
  threads = new Map<string, string>()
  issues = new Map<number, Issue>()
  /** rules by statement id, including statements not in the state */
  rules = new Map<string, Rule>()
  /** merged issue → the issue it was merged into */
  successors = new Map<number, number>()
  /** statement id → issue, decided by a language model; see `advice.ts` */
  advice = new Map<string, number>()
  /** statement id → issues that a language model's review took it out of; see `review.ts` */
  parted = new Map<string, number[]>()
  nextIssue = 1
  nextEmerging = FIRST_EMERGING
  /** all statements ever seen, noise included */
  seen = 0
  seenAtRevision = 0
  /** how many of `nodes` were there at the end of the last revision; later ones follow them */
  nodesAtRevision = 0
  revisions = 0
  /** pending statements since the last revision that resembled another pending one */
  pendingMatches = 0

  constructor(seed: number, space = '') {
    this.seed = seed
    this.space = space
  }
}

/** A new, empty state. The seed breaks ties and must not change during a workspace's life. */
export function createState(
  options: { seed?: number; space?: string; languages?: readonly Language[] | null } = {},
): State {
  const state = new State((options.seed ?? 1) | 0, options.space ?? '')
  state.spaceLanguages = options.languages ?? null
  return state
}

/** The issue with this number, created if new. Numbers only grow. */
export function getOrCreateIssue(state: State, id: number): Issue {
  const known = state.issues.get(id)
  if (known) return known
  const issue: Issue = {
    id,
    removed: false,
    visible: false,
    locked: false,
    nodes: new Set(),
    mentions: 0,
    changed: 0,
    shown: null,
  }
  state.issues.set(id, issue)
  state.successors.delete(id)
  if (isEmerging(id)) state.nextEmerging = Math.max(state.nextEmerging, id + 1)
  else state.nextIssue = Math.max(state.nextIssue, id + 1)
  return issue
}

/**
 * Whether a statement follows its node because of its conversation, not its words: 0 no, 1 yes. 2: it agrees and has no subject, so that
 * it says nothing of whether the node belongs where it is.
 */
export type Echo = 0 | 1 | 2

/** Whether a statement follows its node because of its conversation. */
export function isEcho(state: State, statement: number): boolean {
  return (state.statementEchoes[statement] ?? 0) > 0
}

/** Registers a statement under a node. */
export function register(state: State, statementId: string, nodeIndex: number, echo: Echo = 0): void {
  const node = state.nodes[nodeIndex]
  if (!node) throw new Error(`no node ${nodeIndex}`)
  const index = state.freeStatements.pop() ?? state.statementIds.length
  state.statementIds[index] = statementId
  state.statementNodes[index] = nodeIndex
  state.statementEchoes[index] = echo
  state.statementIndex.set(statementId, index)
  node.followers.push(index)
  if (node.issue > 0) {
    const issue = getOrCreateIssue(state, node.issue)
    issue.mentions++
    issue.changed++
  }
}

/** Removes a statement from the register. The caller handles its node. */
export function unregister(state: State, index: number): void {
  state.statementIndex.delete(state.statementIds[index] as string)
  state.statementIds[index] = ''
  state.statementNodes[index] = -1
  state.statementEchoes[index] = 0
  state.freeStatements.push(index)
}

/** Adds a node, pending (issue 0) or in an issue, and returns its index. Copies the features. */
export function addNode(state: State, { features, subjectless = false, ...node }: NewNode): number {
  const index = state.nodes.length
  const added: Node = { ...node, subjectless, followers: [], pin: -1, bans: [] }
  if (features.vector) added.vector = features.vector
  state.nodes.push(added)
  state.forwardIndex.add(features, node.issue)
  state.postings.add(index, features)
  if (node.hash !== 0 && nodeWithHash(state, node.hash) === undefined) state.nodesByHash.set(node.hash, index)
  if (node.issue > 0) getOrCreateIssue(state, node.issue).nodes.add(index)
  return index
}

/** Whether a node may be grouped with others: it has a subject, or a person said where it belongs. */
export function isGroupable({ subjectless, pin }: Node): boolean {
  return !subjectless || pin >= 0
}

/** The kept node with the words of this hash, or the one that it was merged into. */
export function nodeWithHash(state: State, hash: number): number | undefined {
  const index = state.nodesByHash.get(hash)
  return index !== undefined && state.nodes[index] ? index : undefined
}

/** A copy of a node's features. */
export function featuresOf(state: State, index: number): Features {
  return featuresOfAll(state, [index])[0] as Features
}

/** Copies of these nodes' features. */
export function featuresOfAll(state: State, indices: readonly number[]): Features[] {
  return state.forwardIndex.featuresOf(indices).map((features, i) => {
    const vector = state.nodes[indices[i] as number]?.vector
    return vector ? { ...features, vector } : features
  })
}

/** Moves a node with all its statements to an issue, or to pending (0). */
export function placeNode(state: State, index: number, issueId: number): void {
  const node = state.nodes[index]
  if (!node || node.issue === issueId) return
  if (node.issue > 0) {
    const left = getOrCreateIssue(state, node.issue)
    left.nodes.delete(index)
    left.mentions -= node.followers.length
    left.changed += node.followers.length
  }
  node.issue = issueId
  state.forwardIndex.setIssue(index, issueId)
  if (issueId > 0) {
    const joined = getOrCreateIssue(state, issueId)
    joined.nodes.add(index)
    joined.mentions += node.followers.length
    joined.changed += node.followers.length
  }
}

/** Drops a node and unregisters its statements. */
export function dropNode(state: State, index: number): void {
  const node = state.nodes[index]
  if (!node) return
  placeNode(state, index, 0)
  for (const follower of node.followers) unregister(state, follower)
  if (state.nodesByHash.get(node.hash) === index) state.nodesByHash.delete(node.hash)
  state.nodes[index] = null
  state.dropped++
}

/** Moves all statements of one node to another in the same issue and drops the first. */
export function mergeNodes(state: State, from: number, into: number): void {
  const source = state.nodes[from]
  const target = state.nodes[into]
  if (!source || !target || from === into) return
  for (const follower of source.followers) {
    state.statementNodes[follower] = into
    target.followers.push(follower)
  }
  if (source.issue > 0) state.issues.get(source.issue)?.nodes.delete(from)
  if (state.nodesByHash.get(source.hash) === from) state.nodesByHash.set(source.hash, into)
  state.nodes[from] = null
  state.dropped++
}

/**
 * Gives one statement of a node its own node, in the same issue. It has a subject if the node has one, unless `kept` tells. It keeps the vector
 * of the node if its words are the same, and if the node is pending, since pending statements share one only if they say nearly the same: an
 * own vector would arrive later, and could move it after the correction was undone. Returns the new node.
 */
export function splitStatement(state: State, statement: number, kept: NewNode): number {
  const from = state.nodes[state.statementNodes[statement] as number] as Node
  const echo = state.statementEchoes[statement] as Echo
  from.followers = from.followers.filter((follower) => follower !== statement)
  const own = addNode(state, { subjectless: echo > 0 ? echo === 2 : from.subjectless, ...kept })
  const node = state.nodes[own] as Node
  const saidTheSame = node.hash === from.hash || (from.issue === 0 && echo === 0)
  if (!node.vector && from.vector && saidTheSame) node.vector = from.vector
  node.followers.push(statement)
  state.statementNodes[statement] = own
  state.statementEchoes[statement] = 0
  return own
}

/** Renumbers the nodes without gaps, in order, and rebuilds the index. */
export function compact(state: State): void {
  const kept: Node[] = []
  const renamed = new Int32Array(state.nodes.length).fill(-1)
  state.nodes.forEach((node, index) => {
    if (!node) return
    renamed[index] = kept.length
    kept.push(node)
  })
  state.forwardIndex.renumber(renamed, kept.length)
  kept.forEach((node, index) => {
    for (const follower of node.followers) state.statementNodes[follower] = index
  })
  state.nodes = kept
  state.dropped = 0
  reindex(state)
  state.norms.renumber(renamed, kept.length)
  for (const [thread, first] of state.threads) if (!state.statementIndex.has(first)) state.threads.delete(thread)
  const byHash = new Map<number, number>()
  for (const [hash, index] of state.nodesByHash)
    if ((renamed[index] as number) >= 0) byHash.set(hash, renamed[index] as number)
  state.nodesByHash = byHash
  for (const issue of state.issues.values()) {
    issue.nodes = new Set([...issue.nodes].map((index) => renamed[index] as number).sort((a, b) => a - b))
  }
}

/** Rebuilds the inverted index from the live nodes. */
export function reindex(state: State): void {
  state.postings = Postings.of(state.nodes, state.forwardIndex)
}

/** The number of different items in an issue, counted up to `enough`. */
export function countItems(state: State, issue: Issue, enough = Number.POSITIVE_INFINITY): number {
  const items = new Set<string>()
  for (const index of issue.nodes) {
    for (const follower of state.nodes[index]?.followers ?? []) {
      items.add(itemIdOf(state.statementIds[follower] as string))
      if (items.size >= enough) return items.size
    }
  }
  return items.size
}

/** The node that holds a statement, if any does. */
export function nodeOf(state: State, statementId: string): Node | undefined {
  const statement = state.statementIndex.get(statementId)
  return statement === undefined ? undefined : (state.nodes[state.statementNodes[statement] as number] ?? undefined)
}

/** The item of a statement id: everything before its last colon. */
export function itemIdOf(statementId: string): string {
  const colon = statementId.lastIndexOf(':')
  return colon > 0 ? statementId.slice(0, colon) : statementId
}
