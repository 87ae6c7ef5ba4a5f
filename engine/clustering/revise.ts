import { activeAdvice } from '../corrections/advice.ts'
import { propagateConstraints } from '../corrections/propagated-constraints.ts'
import { REASON_REJECTED, removeRejected } from '../corrections/rejections.ts'
import { isBanned, isParted } from '../corrections/rules.ts'
import { type Candidate, type Changes, isEmerging } from '../model.ts'
import { describeChanged } from '../naming/describe.ts'
import { nodeTone, opposesIssue } from '../state/node-tone.ts'
import { ChangeRecorder } from '../state/recorder.ts'
import { comparesSentences, isKept, setComparing } from '../state/space.ts'
import { compact, isGroupable, type Node, type State } from '../state/state.ts'
import { SENTENCE } from '../text/vector-rows.ts'
import { topCandidates } from './assign.ts'
import {
  type Clustering,
  type Comparison,
  compareStatements,
  findCommunities,
  TUNING,
  type Tuning,
  tuningOf,
} from './communities.ts'
import { trimExemplars } from './exemplars.ts'
import { keepParts } from './keep-parts.ts'
import { keepSettled } from './keep-settled.ts'
import { type Community, joinNearestIssues, matchIssues } from './lineage.ts'
import { continueHeld, partsOfReviews } from './reviewed-groups.ts'
import { chooseScope, isWhole, type Scope } from './scope.ts'
import { countItemsAt, placeLoose } from './second-pass.ts'
import { minSimilarity } from './similarity/min-similarity.ts'
import type { Pairs } from './similarity/nearest-pairs.ts'
import { NearestScores } from './similarity/nearest-scores.ts'
import { applyProfiles } from './similarity/profiles.ts'
import { splitIncoherent } from './split-incoherent.ts'
import { type Suggestions, suggest } from './suggestions.ts'
import { partTones, splitTones } from './tones.ts'

const REASON_LIKE_PINNED = 'like one that a person put there'

/**
 * A revision is due after this share of new statements (the first for small workspaces, the second for large ones), but at least MIN_NEW. The share has no upper
 * limit: a revision may move statements anywhere, so that a fixed number would make each message more expensive in a larger workspace.
 */
const SHARE_NEW = 0.2
const SHARE_NEW_IN_LARGE = 0.5
const LARGE = 10_000
const MIN_NEW = 100
/** Fewer than a revision remembers (`MAX_PENDING`), so that none is forgotten between two revisions. */
const MAX_NEW_PENDING = 2_000

/**
 * Whether enough is new since the last revision for another: a fifth of the workspace or, beyond 10,000 statements, half of it, and at least
 * 100 statements; sooner where 2,000 of the new ones are in no issue. With `idle` (nothing else waits to be assigned) 25 suffice, or two
 * similar pending ones, so that a quiet workspace still shows new issues.
 */
export function needsRevision(state: State, options: { idle?: boolean } = {}): boolean {
  if (needsWholeRevision(state)) return true
  const fresh = state.seen - state.seenAtRevision
  if (fresh === 0 && state.pendingMatches === 0) return false
  return (options.idle && (fresh >= 25 || state.pendingMatches > 0)) || isPendingFull(state)
}

function needsWholeRevision(state: State): boolean {
  if (!state.bySentences && comparesSentences(state)) return true
  const fresh = state.seen - state.seenAtRevision
  const seen = state.seenAtRevision
  return fresh > 0 && fresh >= Math.max(MIN_NEW, seen * (seen <= LARGE ? SHARE_NEW : SHARE_NEW_IN_LARGE))
}

/** Whether the pending statements of a large workspace must be decided before the oldest are forgotten. */
function isPendingFull(state: State): boolean {
  return state.seenAtRevision > LARGE && newPending(state) >= MAX_NEW_PENDING
}

/** How many kept statements since the last revision are in no issue. */
function newPending(state: State): number {
  let pending = 0
  for (let index = state.nodesAtRevision; index < state.nodes.length; index++) {
    const node = state.nodes[index]
    if (node && node.issue === 0 && isGroupable(node)) pending++
  }
  return pending
}

/** In one revision; few need more than four. */
const MAX_ROUNDS = 10

/** `suggestions`: null where words are compared alone, which tell too little. */
export type Revised = Changes & { suggestions: Suggestions | null }

type RevisionOptions = {
  tuning?: Tuning | undefined
  /** issues that people looked at, pushed, named or corrected: what is in them leaves only with a clear gain, see `keepSettled` */
  settled?: ReadonlySet<number>
  /** repeat until nothing moves where only a part of the statements fits into one revision, too */
  untilStable?: boolean
}

/**
 * Regroups where statements changed: splits, merges, and creates issues from pending statements that say the same. Repeats that until nothing
 * moves while all statements fit into one revision, so that another revision moves only what is new or corrected. An issue that nothing joined
 * or left since the last revision keeps what is in it. Where a large workspace only has too many pending statements, it decides about those
 * alone, and what is in an issue stays there until the next revision.
 * Respects all constraints, see `correct`. Changes the state in place; returns what the caller must store.
 */
export function revise(state: State, options: RevisionOptions = {}): Revised {
  const pendingAlone = isPendingFull(state) && !needsWholeRevision(state)
  const settled = options.settled ?? new Set()
  const recorder = new ChangeRecorder(state, settled)
  const comparesAgain = options.untilStable || state.bySentences !== comparesSentences(state)
  setComparing(state, comparesSentences(state))
  const quiet = comparesAgain ? new Set<number>() : quietIssues(state)
  const tuning = options.tuning ?? tuningOf(state)
  const scope = chooseScope(state)
  const comparison = scope.nodes.length > 0 ? compareStatements(state, scope, tuning) : null
  const rounds = options.untilStable || isWhole(state, scope) ? MAX_ROUNDS : 1
  if (comparison)
    regroupUntilStable(state, { scope, comparison, recorder, tuning, pendingAlone, settled, quiet }, rounds)
  state.revisions++
  if (!pendingAlone) state.seenAtRevision = state.seen
  state.pendingMatches = 0
  const changes = recorder.changes()
  const suggestions = comparison?.meaning ? suggest(state, scope, comparison.meaning, tuning) : null
  trimExemplars(state)
  compact(state)
  state.nodesAtRevision = state.nodes.length
  describeChanged(state)
  if (!pendingAlone) for (const issue of state.issues.values()) issue.changed = 0
  return { ...changes, suggestions }
}

type Regrouping = {
  scope: Scope
  comparison: Comparison
  recorder: ChangeRecorder
  tuning: Tuning
  pendingAlone: boolean
  settled: ReadonlySet<number>
  /** see `quietIssues` */
  quiet: ReadonlySet<number>
}

/**
 * Regroups until nothing moves, at most `rounds` times. What a round moves back to where it was before the revision stays there: otherwise, two
 * groupings that are about equally good would take turns forever.
 */
function regroupUntilStable(state: State, regrouping: Regrouping, rounds: number): void {
  const { scope, comparison, tuning, recorder } = regrouping
  const issuesNow = () => scope.nodes.map((index) => (state.nodes[index] as Node).issue)
  const before = issuesNow()
  const returned = new Set<number>()
  for (let round = 0, last = before; round < rounds; round++) {
    regroup(state, { ...regrouping, clustering: findCommunities(state, scope, tuning, comparison), returned })
    const now = issuesNow()
    const moved = now.flatMap((issue, place) => (issue === last[place] ? [] : [place]))
    if (moved.length === 0) break
    for (const place of moved) if (round > 0 && now[place] === before[place]) returned.add(place)
    last = now
  }
  recorder.addCandidates(candidatesOf(state, scope, comparison, before))
}

type Round = Omit<Regrouping, 'comparison'> & { clustering: Clustering; returned: ReadonlySet<number> }

/** `returned`: places that stay where they are. */
function regroup(
  state: State,
  { scope, clustering, recorder, tuning, pendingAlone, settled, quiet, returned }: Round,
): void {
  const nodeAt = (place: number) => state.nodes[scope.nodes[place] as number] as Node
  const closed = (issueId: number) => {
    const issue = state.issues.get(issueId)
    return issue !== undefined && (issue.removed || issue.locked)
  }
  const advice = activeAdvice(state)
  const held = (place: number) => advice.holds(scope.nodes[place] as number)
  const similarity = memberSimilarity(clustering, (place) => held(place) || nodeAt(place).pin >= 0)
  const minMember = minSimilarity(tuning.member, state.vocabulary.texts)
  const minMemberByWords = minSimilarity(Math.max(tuning.member, TUNING.member), state.vocabulary.texts)
  const { meaning } = clustering
  const least = (place: number) => (meaning && meaning.known[place] !== SENTENCE ? minMemberByWords : minMember)
  /** Emerging issues count as none: their statements are free for issues. */
  const issueAt = (place: number) => (isEmerging(nodeAt(place).issue) ? 0 : nodeAt(place).issue)
  const fixed = (place: number) =>
    nodeAt(place).pin >= 0 ||
    closed(nodeAt(place).issue) ||
    isKept(nodeAt(place)) ||
    returned.has(place) ||
    (pendingAlone && issueAt(place) > 0)
  const required = (place: number) => least(place) - (issueAt(place) > 0 ? tuning.slack : 0)
  const told = ({ followers }: Node) => followers.filter((one) => state.statementEchoes[one] !== 2).length
  const stays = (place: number) => told(nodeAt(place)) > 1 || (similarity[place] as number) >= required(place)
  const attached = splitOffUnlinked(
    clustering.labels.map((label, place) => (stays(place) ? label : -1)),
    clustering.pairs,
  )
  const taken = applyProfiles(
    attached,
    clustering.features,
    clustering.pairs,
    state.vocabulary,
    tuning,
    clustering.vectors,
  )
  const coherent = clustering.meaning
    ? splitIncoherent(attached, clustering.meaning, tuning.coherence, clustering.pairs)
    : attached
  const toneAt = (place: number) => nodeTone(nodeAt(place))
  const labels = splitTones(coherent, toneAt)
  const propagated = propagateConstraints(state, scope, clustering.pairs, labels, fixed)
  const propagatedPin = (place: number): number => {
    const pin = propagated.pins[place] as number
    return pin > 0 && (state.issues.get(pin)?.locked || !state.issues.has(pin)) ? -1 : pin
  }
  const mayJoin = (place: number, issueId: number) =>
    !isBanned(state, nodeAt(place), issueId) &&
    !propagated.isRejected(place, issueId) &&
    !isParted(state, nodeAt(place), issueId)
  const remains = (place: number) => quiet.has(issueAt(place)) && mayJoin(place, issueAt(place))
  const communities: Community[] = []
  /** Places in no community, and how near each was to one. */
  const loose = new Map<number, number>()
  for (let place = 0; place < scope.nodes.length; place++) {
    const label = labels[place] as number
    if (label < 0) {
      if (fixed(place)) continue
      const pin = propagatedPin(place)
      if (pin >= 0)
        recorder.move(scope.nodes[place] as number, pin, propagated.scores[place] as number, REASON_LIKE_PINNED)
      else if (!held(place) && !remains(place)) loose.set(place, similarity[place] as number)
      continue
    }
    communities[label] ??= { places: [], issue: 0 }
    communities[label].places.push(place)
  }
  const groups = communities.filter((community) => community !== undefined)
  if (pendingAlone) joinNearestIssues(groups, issueAt)
  else {
    matchIssues(
      groups,
      issueAt,
      (place) => nodeAt(place).followers.length,
      (place) => nodeAt(place).pin,
    )
    keepParts(groups, issueAt, clustering.pairs)
  }
  const placed = { nodeAt, held }
  continueHeld(groups, placed)
  const isFree = (place: number) => !fixed(place) && !held(place) && propagatedPin(place) < 0 && !remains(place)
  const becomesIssue = ({ places }: Community) => countItemsAt(state, scope, places.filter(isFree), 2) >= 2
  const isSettled = (place: number) => isFree(place) && settled.has(issueAt(place))
  if (settled.size > 0) {
    const lasts = (community: Community) => community.issue > 0 || becomesIssue(community)
    keepSettled(groups, loose, clustering.pairs, { issueAt, isSettled, least, lasts })
  }
  const partOf = partsOfReviews(state, clustering.pairs, labels, placed)
  const cohesion = cohesionOf(clustering, groups)
  groups.forEach((group, index) => {
    const score = cohesion[index] as number
    let continued = group.issue
    if (continued === 0 && becomesIssue(group)) {
      continued = state.nextIssue++
      recorder.recordBirth(continued)
    }
    for (const place of group.places) {
      if (fixed(place)) continue
      const target = partOf(place, continued)
      const index = scope.nodes[place] as number
      const node = nodeAt(place)
      const pin = propagatedPin(place)
      if (pin >= 0) recorder.move(index, pin, propagated.scores[place] as number, REASON_LIKE_PINNED)
      else if (held(place)) {
        if (propagated.isRejected(place, node.issue)) recorder.move(index, 0, score, REASON_REJECTED)
        else if (isEmerging(node.issue) && target > 0 && mayJoin(place, target)) advice.note(index, target)
      } else if (remains(place) || state.issues.get(target)?.locked) continue
      else if (target > 0 && isParted(state, node, target)) loose.set(place, taken[place] || score)
      else if (target > 0 && !mayJoin(place, target)) recorder.move(index, 0, taken[place] || score, REASON_REJECTED)
      else if (target > 0) recorder.move(index, target, taken[place] || score)
      else loose.set(place, taken[place] || score)
    }
  })
  const isOfTone = (place: number, issueId: number) => !opposesIssue(state, toneAt(place), issueId)
  placeLoose(state, { scope, clustering, recorder, tuning }, loose, {
    isAllowed: (place, issueId) => mayJoin(place, issueId) && isOfTone(place, issueId),
    isSettled,
  })
  advice.release(recorder)
  partTones(state, scope, recorder)
  removeRejected(state, scope.nodes, recorder)
}

/** The issues that nothing joined or left since the last revision: what is in them stays, unless people decided otherwise. */
function quietIssues(state: State): Set<number> {
  return new Set([...state.issues.values()].filter(({ changed }) => changed === 0).map(({ id }) => id))
}

/** For each moved node, the issues of its nearest neighbours. */
function candidatesOf(state: State, scope: Scope, { pairs }: Comparison, before: number[]): Map<number, Candidate[]> {
  const nodeAt = (place: number) => state.nodes[scope.nodes[place] as number] as Node
  const bests = new Map<number, Map<number, number>>()
  const offer = (place: number, other: number, score: number) => {
    const { issue } = nodeAt(other)
    if (issue === 0 || nodeAt(place).issue === before[place]) return
    const index = scope.nodes[place] as number
    const best = bests.get(index) ?? new Map<number, number>()
    if (score > (best.get(issue) ?? 0)) best.set(issue, score)
    bests.set(index, best)
  }
  const { from, to, scores } = pairs
  for (let p = 0; p < from.length; p++) {
    offer(from[p] as number, to[p] as number, scores[p] as number)
    offer(to[p] as number, from[p] as number, scores[p] as number)
  }
  return new Map(
    [...bests].map(([index, best]) => [
      index,
      topCandidates([...best].map(([issueId, score]) => ({ issueId, score }))),
    ]),
  )
}

/** Moves each place that has no similar place left in its community to a new community. */
function splitOffUnlinked(labels: Int32Array, { from, to }: Pairs): Int32Array {
  const tied = new Uint8Array(labels.length)
  for (let p = 0; p < from.length; p++) {
    const a = from[p] as number
    const b = to[p] as number
    if (labels[a] !== labels[b]) continue
    tied[a] = 1
    tied[b] = 1
  }
  let next = labels.reduce((most, label) => Math.max(most, label + 1), 0)
  return labels.map((label, place) => (label < 0 || tied[place] === 1 ? label : next++))
}

/** The mean similarity of neighbours within each group. */
function cohesionOf(clustering: Clustering, groups: Community[]): Float64Array {
  const groupAt = new Int32Array(clustering.labels.length)
  groups.forEach((group, index) => {
    for (const place of group.places) groupAt[place] = index
  })
  const sums = new Float64Array(groups.length)
  const counts = new Float64Array(groups.length)
  const { from, to, scores } = clustering.pairs
  for (let p = 0; p < from.length; p++) {
    const group = groupAt[from[p] as number] as number
    if (group !== groupAt[to[p] as number]) continue
    sums[group] = (sums[group] as number) + (scores[p] as number)
    counts[group] = (counts[group] as number) + 1
  }
  return sums.map((sum, i) => sum / Math.max(1, counts[i] as number))
}

/**
 * How near each place is to the rest of its community: mean similarity to its four nearest members, or to all in a
 * smaller one. One accidental similarity does not make a member. Places that a person or a model `put` there count as
 * neighbours but not towards the number required.
 */
function memberSimilarity(clustering: Clustering, put: (place: number) => boolean): Float32Array {
  const { from, to, scores } = clustering.pairs
  const size = clustering.labels.length
  const nearest = new NearestScores(size)
  const members = new Int32Array(size)
  clustering.labels.forEach((label, place) => {
    if (!put(place)) members[label] = (members[label] as number) + 1
  })
  for (let p = 0; p < from.length; p++) {
    const a = from[p] as number
    const b = to[p] as number
    if (clustering.labels[a] !== clustering.labels[b]) continue
    nearest.offer(a, scores[p] as number)
    nearest.offer(b, scores[p] as number)
  }
  const similarity = new Float32Array(size)
  for (let place = 0; place < size; place++)
    similarity[place] = nearest.mean(place, (members[clustering.labels[place] as number] as number) - 1)
  return similarity
}
