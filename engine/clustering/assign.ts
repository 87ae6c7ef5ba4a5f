import { REASON_REJECTED } from '../corrections/rejections.ts'
import { isBanned, REASON_PERSON, refreshNodeRule, successorOf } from '../corrections/rules.ts'
import { type Tone, toneOf } from '../kinds/tone.ts'
import type { Candidate, Decision, Rule, Statement, StoredDecision } from '../model.ts'
import { MAX_KEPT_LENGTH } from '../state/node-content.ts'
import { areOpposed, nodeTone, opposesIssue } from '../state/node-tone.ts'
import { REASON_CONVERSATION } from '../state/recorder.ts'
import { isEncoded } from '../state/space.ts'
import {
  addNode,
  type Echo,
  getOrCreateIssue,
  isGroupable,
  MAX_EXEMPLARS,
  type Node,
  nodeWithHash,
  register,
  type State,
} from '../state/state.ts'
import { isAboutItsConversation } from '../text/agreement.ts'
import { type AnalysedText, type Features, languageOf } from '../text/features.ts'
import type { Language } from '../text/language.ts'
import { isAgreement, noiseReason } from '../text/noise.ts'
import { cosineOf, quantise } from '../text/packed-vectors.ts'
import {
  DUPLICATE_COSINE,
  finderFor,
  MIN_SIMILARITY,
  type Neighbour,
  type NeighbourFinder,
} from './similarity/neighbour-finder.ts'

/** Below this similarity, the conversation of a statement says more than its words. */
const MIN_OWN_SIMILARITY = 0.66
const MAX_VOTES = 15
/** A neighbour with a rule counts as much as this many others. */
const RULED_VOTE_WEIGHT = 3
/** The reason why a point is in the issue that its message was in. */
export const REASON_FORMER = 'its message was in it'
/** The reason why praise and small talk are in no issue. */
export const REASON_SUBJECTLESS = 'praise or small talk'
/** Below this cosine, a message is about something else than its conversation. */
const MIN_CONVERSATION_COSINE = 0.15
/** The reason of a statement that agrees with the first one of its conversation and has no subject of its own. */
export const REASON_AGREES = 'agrees within its conversation'
/** Words named in a reason. */
const MAX_REASON_TERMS = 4

/**
 * Decides for each statement, in order, whether it joins an issue, is pending, or is noise. Changes the state in
 * place. For a statement already in the state it returns the known decision without counting it again.
 */
export function assign(state: State, statements: Statement[]): { decisions: Decision[] } {
  const finder = finderFor(state)
  return { decisions: statements.map((statement) => assignOne(state, finder, statement)) }
}

/**
 * Applies stored decisions to bring a snapshot up to date after a crash. Leaves the state exactly as the original
 * `assign` did; where it would decide differently now, the stored decision wins. Statements without a decision are
 * skipped. What may have been placed by comparing sentences stays in its issue until the state compares sentences too.
 */
export function replay(state: State, statements: Statement[], decisions: StoredDecision[]): void {
  const finder = finderFor(state)
  const byId = new Map(decisions.map((decision) => [decision.statementId, decision]))
  for (const statement of statements) {
    const given = byId.get(statement.id)
    if (!given) continue
    assignOne(state, finder, statement, given)
    if (given.meant && state.space !== '' && !state.bySentences) markMeant(state, statement.id)
  }
}

function markMeant(state: State, statementId: string): void {
  const index = state.statementIndex.get(statementId)
  const node = index === undefined ? null : state.nodes[state.statementNodes[index] as number]
  if (node && node.issue > 0) node.meant = true
}

/** What was decided about a statement before anything is stored. */
type AssignmentPlan = {
  kind: Decision['kind']
  issueId: number
  score: number
  reason: string
  /** the node it follows; -1: it becomes a node */
  node: number
  echo: Echo
  /** it resembles another pending statement */
  ripe: boolean
  candidates?: Candidate[]
  /** valid until the next extraction */
  features?: Features
}

function assignOne(state: State, finder: NeighbourFinder, statement: Statement, given?: Decision): Decision {
  const known = state.statementIndex.get(statement.id)
  if (known !== undefined) return knownDecision(state, statement.id, known)
  state.seen++
  const text = state.boilerplate.strip(statement.text)
  const shortened = text === statement.text ? statement : { ...statement, text }
  const reading = state.featureExtractor.analyse(statement.point ?? text)
  const rule = state.rules.get(statement.id)
  if (rule && rule.pin >= 0) return commit(state, shortened, reading, pinnedPlan(state, rule))
  const plan = planAssignment(state, finder, shortened, reading, rule)
  returnToFormer(state, plan, statement, reading.language)
  if (given && (given.kind !== plan.kind || (given.issueId ?? 0) !== plan.issueId))
    applyStoredDecision(state, plan, given)
  if (rule) applyRule(state, plan, rule)
  return commit(state, shortened, reading, plan)
}

/** The plan for a statement that a person pinned: its words do not matter. */
function pinnedPlan(state: State, { pin }: Rule): AssignmentPlan {
  const issueId = pin > 0 ? successorOf(state, pin) : 0
  const kind = issueId > 0 ? 'joined' : 'pending'
  return { kind, issueId, score: 1, reason: REASON_PERSON, node: -1, echo: 0, ripe: false }
}

/** A statement that would wait begins in the issue that its message was in. The next revision decides whether it stays. */
function returnToFormer(
  state: State,
  plan: AssignmentPlan,
  { former = 0, point, text }: Statement,
  language: Language,
): void {
  if (former === 0 || plan.kind !== 'pending' || plan.node >= 0 || plan.reason === REASON_SUBJECTLESS) return
  const issueId = successorOf(state, former)
  if ((state.issues.get(issueId)?.nodes.size ?? 0) >= MAX_EXEMPLARS) return
  if (opposesIssue(state, toneOf(point ?? text, language), issueId)) return
  plan.kind = 'joined'
  plan.issueId = issueId
  plan.reason = REASON_FORMER
  plan.ripe = false
}

/** A statement with a rule never follows a node, because followers move along with it. */
function applyRule(state: State, plan: AssignmentPlan, rule: Rule): void {
  plan.node = -1
  plan.echo = 0
  if (!isBanned(state, rule, plan.issueId)) return
  plan.kind = 'pending'
  plan.issueId = 0
  plan.reason = REASON_REJECTED
}

function planAssignment(
  state: State,
  finder: NeighbourFinder,
  statement: Statement,
  reading: AnalysedText,
  rule?: Rule,
): AssignmentPlan {
  // A model has read a reply with what it replies to.
  const thread = statement.point === undefined ? threadNode(state, statement) : -1
  const follow = (node: number, score: number, reason: string, echo: Echo = 0): AssignmentPlan => {
    const issueId = state.nodes[node]?.issue ?? 0
    return {
      kind: issueId > 0 ? 'joined' : 'pending',
      issueId,
      score,
      reason,
      node,
      echo,
      ripe: issueId === 0 && echo === 0 && isGroupable(state.nodes[node] as Node),
    }
  }
  const apart: AssignmentPlan = {
    kind: 'pending',
    issueId: 0,
    score: 0,
    reason: REASON_SUBJECTLESS,
    node: -1,
    echo: 0,
    ripe: false,
  }
  const { tokens, noiseFlags } = reading
  const agrees = isAgreement(tokens, noiseFlags)
  const isAboutThread = thread >= 0 && !statement.taught && isAboutItsConversation(statement.text, statement)
  if (thread >= 0 && agrees) return follow(thread, 0.5, REASON_AGREES, 1)
  if (isAboutThread && statement.subjectless) return follow(thread, 0.5, REASON_AGREES, 2)
  const noise =
    statement.point !== undefined ? null : agrees ? 'agreement without a subject' : noiseReason(tokens, noiseFlags)
  if (noise !== null) return { kind: 'noise', issueId: 0, score: 0, reason: noise, node: -1, echo: 0, ripe: false }
  const twin = nodeWithHash(state, reading.hash)
  if (twin !== undefined && !isToldOtherwise(statement, state.nodes[twin] as Node)) return follow(twin, 1, 'same words')
  if (statement.subjectless) return apart

  const features = state.featureExtractor.extractTransient(reading)
  let known: Tone | undefined
  const tone = () => {
    if (known === undefined) known = toneOf(statement.point ?? statement.text, reading.language, tokens)
    return known
  }
  const isApart = (node: number) => areOpposed(tone(), nodeTone(state.nodes[node] as Node))
  const near = finder.nearest(features)
  const { winner: most, candidates } = vote(state, near, rule)
  const winner = most > 0 && opposesIssue(state, tone(), most) ? 0 : most
  const best = near.find(({ issue }) => issue === winner)
  const score = round(best?.score ?? 0)
  const isUnclear = (winner === 0 || score < MIN_OWN_SIMILARITY) && (near[0]?.score ?? 0) < MIN_OWN_SIMILARITY
  if (
    thread >= 0 &&
    isUnclear &&
    (isAboutThread || !leavesConversation(state.nodes[thread]?.vector, statement.vector)) &&
    !isApart(thread)
  ) {
    return withEvidence(follow(thread, score, REASON_CONVERSATION, 1), candidates, features)
  }
  if (
    best &&
    (best.cosine >= DUPLICATE_COSINE || (winner > 0 && (state.issues.get(winner)?.nodes.size ?? 0) >= MAX_EXEMPLARS)) &&
    !isApart(best.node)
  ) {
    return withEvidence(follow(best.node, score, sharedTerms(state, tokens, best.node)), candidates, features)
  }
  if (winner > 0 && best) {
    const reason = sharedTerms(state, tokens, best.node)
    return { kind: 'joined', issueId: winner, score, reason, node: -1, echo: 0, ripe: false, candidates, features }
  }
  const ripe = score >= MIN_SIMILARITY
  const reason = ripe ? 'like another that waits' : near.length > 0 ? 'no issue is near enough' : 'nothing alike yet'
  return { kind: 'pending', issueId: 0, score, reason, node: -1, echo: 0, ripe, candidates, features }
}

/** Whether people or a language model said of a statement that it has a subject, or none, and not of the node with the same words. */
function isToldOtherwise(
  { taught = false, kind, subjectless = false }: Statement,
  { subjectless: known, pin }: Node,
): boolean {
  return (taught || kind !== undefined) && subjectless !== known && pin < 0
}

/** Adds the evidence to a plan. */
function withEvidence(plan: AssignmentPlan, candidates: Candidate[], features: Features): AssignmentPlan {
  plan.candidates = candidates
  plan.features = features
  return plan
}

/** Replaces a plan by the stored decision. */
function applyStoredDecision(state: State, plan: AssignmentPlan, given: Decision): void {
  plan.kind = given.kind
  plan.issueId = given.kind === 'joined' ? (given.issueId ?? 0) : 0
  plan.score = given.score
  plan.reason = given.reason
  plan.node = -1
  plan.echo = 0
  const issue = state.issues.get(plan.issueId)
  if (issue && issue.nodes.size >= MAX_EXEMPLARS) plan.node = issue.nodes.values().next().value ?? -1
}

function commit(state: State, statement: Statement, reading: AnalysedText, plan: AssignmentPlan): Decision {
  const { kind, score, reason } = plan
  const decision: Decision = { statementId: statement.id, kind, score, reason }
  if (kind === 'joined') decision.issueId = plan.issueId
  if (plan.candidates && plan.candidates.length > 0) decision.candidates = plan.candidates
  if (kind === 'noise') return decision
  if (plan.features) state.vocabulary.count(plan.features.terms)
  if (plan.ripe) state.pendingMatches++
  let node = plan.node
  if (node < 0) {
    const features = plan.features ?? state.featureExtractor.extractTransient(reading)
    if (!plan.features) state.vocabulary.count(features.terms)
    if (plan.issueId > 0) getOrCreateIssue(state, plan.issueId)
    const text = statement.text.length > MAX_KEPT_LENGTH ? statement.text.slice(0, MAX_KEPT_LENGTH) : statement.text
    const { hash } = reading
    const { point, at, subjectless = false } = statement
    const compared = point === undefined ? { language: reading.language } : { language: languageOf(text), point }
    node = addNode(state, { features, text, ...compared, hash, at, issue: plan.issueId, subjectless })
    if (statement.vector && isEncoded(state, compared)) (state.nodes[node] as Node).vector = quantise(statement.vector)
  }
  register(state, statement.id, node, plan.echo)
  if (state.rules.has(statement.id)) refreshNodeRule(state, state.nodes[node] as Node)
  if (statement.thread !== undefined && !state.threads.has(statement.thread)) {
    state.threads.set(statement.thread, statement.id)
  }
  return decision
}

/** Whether a message is about something else than the first one of its conversation; false if either has no vector. */
export function leavesConversation(first: Int8Array | undefined, own: ArrayLike<number> | undefined): boolean {
  return first !== undefined && own !== undefined && cosineOf(first, quantise(own)) < MIN_CONVERSATION_COSINE
}

/** The node of the first statement of the conversation; -1 if it is not kept. */
function threadNode(state: State, { thread, itemId }: Statement): number {
  if (thread === undefined) return -1
  const first = state.threads.get(thread) ?? `${thread}:0`
  const index = state.statementIndex.get(first)
  if (index === undefined || first.startsWith(`${itemId}:`)) return -1
  return state.statementNodes[index] as number
}

function knownDecision(state: State, statementId: string, index: number): Decision {
  const node = state.nodes[state.statementNodes[index] as number]
  if (!node || node.issue === 0) return { statementId, kind: 'pending', score: 0, reason: 'known already' }
  return { statementId, kind: 'joined', issueId: node.issue, score: 1, reason: 'known already' }
}

/**
 * The issue with at least half of the similarity among the neighbours, 0 for none. Neighbours with a rule count more.
 * An issue loses if something rejected from it, or pinned to no issue, is at least as near as its own nearest
 * statement.
 */
function vote(state: State, near: Neighbour[], rule?: Rule): { winner: number; candidates: Candidate[] } {
  const found: (Candidate & { weight: number })[] = []
  const rejected = new Map<number, number>()
  const ruled = state.rules.size > 0
  let outside = 0
  let total = 0
  for (let i = 0; i < near.length; i++) {
    const { node, issue, score } = near[i] as Neighbour
    let one = issue > 0 ? found.find(({ issueId }) => issueId === issue) : undefined
    if (issue > 0 && !one) {
      one = { issueId: issue, score, weight: 0 }
      found.push(one)
    }
    if (i >= MAX_VOTES || score < MIN_SIMILARITY || !isGroupable(state.nodes[node] as Node)) continue
    let weight = score
    if (ruled) {
      const { pin, bans } = state.nodes[node] as Node
      if (pin >= 0) weight *= RULED_VOTE_WEIGHT
      if (pin === 0) outside = Math.max(outside, score)
      for (const banned of bans)
        rejected.set(successorOf(state, banned), Math.max(score, rejected.get(successorOf(state, banned)) ?? 0))
    }
    total += weight
    if (one) one.weight += weight
  }
  let winner = 0
  let most = 0
  for (const { issueId, score: best, weight } of found) {
    if (weight * 2 < total || weight <= most || outside >= best) continue
    if (ruled && ((rejected.get(issueId) ?? 0) >= best || (rule && isBanned(state, rule, issueId)))) continue
    winner = issueId
    most = weight
  }
  return { winner, candidates: topCandidates(found) }
}

/** The three issues with the highest scores. */
export function topCandidates(found: Candidate[]): Candidate[] {
  if (found.length > 1) found.sort((a, b) => b.score - a.score || a.issueId - b.issueId)
  const first: Candidate[] = []
  for (let i = 0; i < found.length && i < 3; i++) {
    const { issueId, score } = found[i] as Candidate
    first.push({ issueId, score: round(score) })
  }
  return first
}

/** The statement's words whose stems the kept one has too, at most four: content words first, rarer first. */
function sharedTerms(state: State, tokens: string[], nodeIndex: number): string {
  const stems: number[] = []
  const shared: string[] = []
  const ranks: number[] = []
  for (let i = 0; i < tokens.length; i++) {
    const { stem, isStopword } = state.featureExtractor.stemAt(i)
    if (stems.includes(stem) || !state.forwardIndex.hasStem(nodeIndex, stem)) continue
    stems.push(stem)
    const rank = (state.vocabulary.frequency[stem] as number) + (isStopword ? 1e9 : 0)
    let at = shared.length
    if (at === MAX_REASON_TERMS) {
      if (rank >= (ranks[MAX_REASON_TERMS - 1] as number)) continue
      at--
    }
    for (; at > 0 && rank < (ranks[at - 1] as number); at--) {
      ranks[at] = ranks[at - 1] as number
      shared[at] = shared[at - 1] as string
    }
    ranks[at] = rank
    shared[at] = tokens[i] as string
  }
  if (shared.length === 0) return 'similar spelling'
  return `shared: ${shared.join(', ')}`
}

function round(score: number): number {
  return Math.round(score * 1_000) / 1_000
}
