import { ForwardIndex } from '../clustering/forward-index.ts'
import { NormCache } from '../clustering/norms.ts'
import { Postings } from '../clustering/postings.ts'
import type { Rule } from '../model.ts'
import { Boilerplate } from '../text/boilerplate.ts'
import { FeatureExtractor, type Features } from '../text/features.ts'
import type { Language } from '../text/language.ts'
import { Vocabulary } from '../text/vocabulary.ts'

/** At most this many statements of an issue are kept for comparison; the others follow the one they are nearest to. */
export const MAX_EXEMPLARS = 50

/** A kept statement that others are compared with, and all statements that say the same. */
export type Node = {
  text: string
  language: Language
  hash: number
  /** from a model outside, where the workspace has one */
  vector?: Int8Array
  /** ms since 1970 of its first statement */
  at: number
  /** 0: pending */
  issue: number
  /** indices of statements in the register, the first is the one whose text is kept */
  followers: number[]
  /** the issue a person put it in; 0: no issue; -1: nobody said */
  pin: number
  /** issues that a person said it does not belong to */
  bans: number[]
}

/** What is to be kept of a statement. */
export type NewNode = Omit<Node, 'followers' | 'pin' | 'bans' | 'vector'> & { features: Features }

/** What is shown of an issue, and how large it was when that was worked out. */
export type IssueDisplay = { name: string; summary: string; quotes: number[]; hash: string; size: number }

export type Issue = {
  id: number
  removed: boolean
  visible: boolean
  /** a person said that revisions leave it as it is */
  locked: boolean
  nodes: Set<number>
  /** statements */
  mentions: number
  /** statements that came or went since the last revision */
  changed: number
  shown: IssueDisplay | null
}

/** All that the engine remembers of one workspace. Opaque to callers; changed in place by the engine's functions. */
export class State {
  readonly seed: number
  /** the model whose vectors it holds; '': none from outside */
  readonly space: string
  vocabulary = new Vocabulary()
  boilerplate = new Boilerplate()
  featureExtractor = new FeatureExtractor(this.vocabulary)
  /** the terms of the nodes */
  forwardIndex = new ForwardIndex()
  postings = new Postings()
  /** null: a node that was dropped since the index was last built */
  nodes: (Node | null)[] = []
  /** how many of them are null */
  dropped = 0
  norms = new NormCache()
  nodesByHash = new Map<number, number>()
  /** the register: statement ids and the node each belongs to, -1 for a free place */
  statementIds: string[] = []
  statementNodes: number[] = []
  statementIndex = new Map<string, number>()
  /** 1: the statement follows its node because of its conversation, not of its words */
  statementEchoes: number[] = []
  freeStatements: number[] = []
  /** conversation id to the first statement that was kept of it */
  threads = new Map<string, string>()
  issues = new Map<number, Issue>()
  /** what people said, by statement id, also of statements that are not kept */
  rules = new Map<string, Rule>()
  /** issues that were merged, and the one each went into */
  successors = new Map<number, number>()
  /** statements that a language model said belong to an issue; see `advice.ts` */
  advice = new Map<string, number>()
  nextIssue = 1
  /** statements ever seen, chit-chat too */
  seen = 0
  seenAtRevision = 0
  revisions = 0
  /** pending statements that found another pending one near enough, since the last revision */
  pendingMatches = 0

  constructor(seed: number, space = '') {
    this.seed = seed
    this.space = space
  }
}

/** A new, empty state. The seed decides between equal choices; one workspace keeps one. */
export function createState(options: { seed?: number; space?: string } = {}): State {
  return new State((options.seed ?? 1) | 0, options.space ?? '')
}

/** The issue of this number, made now if it is new (numbers only grow). */
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
  if (id >= state.nextIssue) state.nextIssue = id + 1
  return issue
}

/** Enters a statement in the register under a node and counts it. */
export function register(state: State, statementId: string, nodeIndex: number, echo = false): void {
  const node = state.nodes[nodeIndex]
  if (!node) throw new Error(`no node ${nodeIndex}`)
  const index = state.freeStatements.pop() ?? state.statementIds.length
  state.statementIds[index] = statementId
  state.statementNodes[index] = nodeIndex
  state.statementEchoes[index] = echo ? 1 : 0
  state.statementIndex.set(statementId, index)
  node.followers.push(index)
  if (node.issue > 0) {
    const issue = getOrCreateIssue(state, node.issue)
    issue.mentions++
    issue.changed++
  }
}

/** Takes a statement out of the register. The caller looks after its node. */
export function unregister(state: State, index: number): void {
  state.statementIndex.delete(state.statementIds[index] as string)
  state.statementIds[index] = ''
  state.statementNodes[index] = -1
  state.statementEchoes[index] = 0
  state.freeStatements.push(index)
}

/** Keeps a statement for comparison, pending (issue 0) or in an issue, and returns its index. Its features are copied. */
export function addNode(state: State, { features, ...node }: NewNode): number {
  const index = state.nodes.length
  const added: Node = { ...node, followers: [], pin: -1, bans: [] }
  if (features.vector) added.vector = features.vector
  state.nodes.push(added)
  state.forwardIndex.add(features, node.issue)
  state.postings.add(index, features)
  if (node.hash !== 0 && !state.nodesByHash.has(node.hash)) state.nodesByHash.set(node.hash, index)
  if (node.issue > 0) getOrCreateIssue(state, node.issue).nodes.add(index)
  return index
}

/** The features of a node; a copy of what is kept of them. */
export function featuresOf(state: State, index: number): Features {
  return featuresOfAll(state, [index])[0] as Features
}

/** The features of these nodes. */
export function featuresOfAll(state: State, indices: readonly number[]): Features[] {
  return state.forwardIndex.featuresOf(indices).map((features, i) => {
    const vector = state.nodes[indices[i] as number]?.vector
    return vector ? { ...features, vector } : features
  })
}

/** Puts a node with all its statements into an issue, or back to pending (0). */
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

/** Drops a node that has no statements left or is no longer worth keeping; its statements leave the register. */
export function dropNode(state: State, index: number): void {
  const node = state.nodes[index]
  if (!node) return
  placeNode(state, index, 0)
  for (const follower of node.followers) unregister(state, follower)
  if (state.nodesByHash.get(node.hash) === index) state.nodesByHash.delete(node.hash)
  state.nodes[index] = null
  state.dropped++
}

/** Gives all statements of one node to another and drops the first. Both must be in the same issue. */
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

/** Gives one statement of a node that stands for several a node of its own, in the same issue. Returns the new node. */
export function splitStatement(state: State, statement: number, kept: NewNode): number {
  const from = state.nodes[state.statementNodes[statement] as number] as Node
  from.followers = from.followers.filter((follower) => follower !== statement)
  const own = addNode(state, kept)
  const node = state.nodes[own] as Node
  node.followers.push(statement)
  state.statementNodes[statement] = own
  state.statementEchoes[statement] = 0
  return own
}

/** Renumbers the nodes without gaps and builds the index anew. Keeps their order, so that nothing else changes. */
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

/** Builds the index of terms anew, of the nodes that live. */
export function reindex(state: State): void {
  state.postings = Postings.of(state.nodes, state.forwardIndex)
}

/** How many different items speak in an issue, counted up to `enough`. */
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

/** The item of a statement id: all before its last colon. */
export function itemIdOf(statementId: string): string {
  const colon = statementId.lastIndexOf(':')
  return colon > 0 ? statementId.slice(0, colon) : statementId
}
