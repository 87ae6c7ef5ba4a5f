import { REASON_MODEL } from '../corrections/advice.ts'
import { isEmerging } from '../model.ts'
import { areOpposed, nodeTone } from '../state/node-tone.ts'
import { type ChangeRecorder, REASON_MEANING } from '../state/recorder.ts'
import { isEcho, itemIdOf, type Node, type State } from '../state/state.ts'
import { cosine, type StatementVectors } from '../text/statement-vectors.ts'
import { UNKNOWN } from '../text/vector-rows.ts'
import { averageLinkage } from './average-linkage.ts'
import type { Clustering, Tuning } from './communities.ts'
import { CLEAR_GAIN } from './keep-settled.ts'
import { type Community, matchIssues } from './lineage.ts'
import { discountPoints, extraMeaning, readPlaces } from './point-strictness.ts'
import type { Scope } from './scope.ts'
import { meanCosines } from './similarity/mean-cosines.ts'
import { LOOSE_SLOPE, minSimilarity } from './similarity/min-similarity.ts'

/** Statements that are together already count as this much more similar, so that groups are stable. */
const STAYING_BONUS = 0.08
/** An emerging issue with this many items becomes an issue, and with one more for every factor of ten beyond `FEW_TEXTS`. */
const MIN_ISSUE_ITEMS = 3
const FEW_TEXTS = 1_000

/** Whether a place may join an issue. */
type IsAllowed = (place: number, issueId: number) => boolean

type Revision = { scope: Scope; clustering: Pick<Clustering, 'meaning'>; recorder: ChangeRecorder; tuning: Tuning }

/**
 * Decides about the `loose` places, which no community took (with the similarity of each to the one it was in). Where sentences are
 * compared, those that mean the same join an issue or form an emerging one of at least two items; with three items it becomes an issue.
 * The others are pending afterwards. What was in a settled issue leaves it only where it means something else by `CLEAR_GAIN`.
 */
export function placeLoose(
  state: State,
  { scope, clustering: { meaning }, recorder, tuning }: Revision,
  loose: ReadonlyMap<number, number>,
  { isAllowed, isSettled }: { isAllowed: IsAllowed; isSettled: (place: number) => boolean },
): void {
  const nodeAt = (place: number) => state.nodes[scope.nodes[place] as number] as Node
  const move = (place: number, issueId: number, score: number, reason?: string) =>
    recorder.move(scope.nodes[place] as number, issueId, score, reason)
  const leave = (places: readonly number[]) => {
    for (const place of places) move(place, 0, loose.get(place) ?? 0)
  }
  if (!meaning) return leave([...loose.keys()])
  const isComparable = (place: number) => meaning.known[place] !== UNKNOWN
  leave([...loose.keys()].filter((place) => !isComparable(place)))
  const issues = openIssues(state, scope, loose, isComparable)
  const threshold = minSimilarity(tuning.loose, state.vocabulary.texts, LOOSE_SLOPE)
  const groups = mergeByMeaning(meaning, issues, [...loose.keys()].filter(isComparable), threshold, {
    isAllowed,
    isOpposed: (a, b) => areOpposed(nodeTone(nodeAt(a)), nodeTone(nodeAt(b))),
    isTogether: (a, b) => nodeAt(a).issue > 0 && nodeAt(a).issue === nodeAt(b).issue,
    wasIn: (place, issueId) => nodeAt(place).issue === issueId,
    discount: (similarities, clusters) =>
      discountPoints(similarities, clusters, readPlaces(state, scope), extraMeaning(tuning)),
  })
  const membersOf = new Map(issues.map(({ issue, places }) => [issue, places]))
  keepUnclear(groups, {
    settledAt: (place) => (isSettled(place) ? nodeAt(place).issue : 0),
    lasts: ({ issue, joined }) => issue > 0 || countItemsAt(state, scope, joined, 2) >= 2,
    gain: (place, others) =>
      (others ? meanCosine(meaning, place, others) : threshold) -
      meanCosine(meaning, place, membersOf.get(nodeAt(place).issue) ?? []),
  })
  const free: Community[] = []
  const lasting = new Set<number>()
  scope.nodes.forEach((index, place) => {
    if (!loose.has(place)) lasting.add((state.nodes[index] as Node).issue)
  })
  const enough = MIN_ISSUE_ITEMS + Math.max(0, Math.ceil(Math.log10(state.vocabulary.texts / FEW_TEXTS)))
  for (const { issue, places, joined } of groups) {
    if (joined.length > 0) lasting.add(issue)
    const isFounded = isEmerging(issue) && state.issues.get(issue)?.removed === false
    if (isFounded && countItemsAt(state, scope, joined, enough) >= enough) {
      // What a model founded is an issue once there is enough evidence besides.
      const target = state.nextIssue++
      recorder.recordBirth(target)
      for (const place of places)
        move(place, target, meanCosine(meaning, place, places), loose.has(place) ? REASON_MEANING : REASON_MODEL)
    } else if (issue > 0)
      for (const place of joined) move(place, issue, meanCosine(meaning, place, places), REASON_MEANING)
    else if (countItemsAt(state, scope, joined, 2) >= 2) free.push({ places: joined, issue: 0 })
    else leave(joined)
  }
  const continues = (issueId: number) => !lasting.has(issueId)
  matchIssues(
    free,
    (place) => (continues(nodeAt(place).issue) ? nodeAt(place).issue : 0),
    (place) => nodeAt(place).followers.length,
  )
  for (const { places, issue } of free) {
    const target = issueFor(state, issue, countItemsAt(state, scope, places, enough) >= enough)
    if (target !== issue) recorder.recordBirth(target)
    for (const place of places) move(place, target, meanCosine(meaning, place, places), REASON_MEANING)
  }
}

type GainRules = {
  /** the issue of a place if people settled it; otherwise 0 */
  settledAt: (place: number) => number
  lasts: (group: MeaningGroup) => boolean
  /** how much nearer a place is to the places of another group, or null for none, than to those of its issue */
  gain: (place: number, others: readonly number[] | null) => number
}

/** Takes out of the groups what leaves a settled issue without a clear gain: it stays where it is. */
function keepUnclear(groups: readonly MeaningGroup[], { settledAt, lasts, gain }: GainRules): void {
  for (const group of groups) {
    for (let isWhole = false; !isWhole; ) {
      const others = lasts(group) ? group.places : null
      const stays = new Set(
        group.joined.filter((place) => {
          const own = settledAt(place)
          return own > 0 && own !== group.issue && gain(place, others) < CLEAR_GAIN
        }),
      )
      isWhole = stays.size === 0
      group.places = group.places.filter((place) => !stays.has(place))
      group.joined = group.joined.filter((place) => !stays.has(place))
    }
  }
}

/** The number of a group that continues `issue` (0: none): its own, a new emerging one, or a new one once there is enough evidence. */
function issueFor(state: State, issue: number, isEnough: boolean): number {
  if (issue > 0 && !isEmerging(issue)) return issue
  if (isEnough) return state.nextIssue++
  return issue > 0 ? issue : state.nextEmerging++
}

type OpenIssue = { issue: number; places: number[] }

/**
 * The issues in scope that others may join, with those of their places whose meaning is known, loose ones too: what they mean so far
 * decides who stays. Emerging issues are among them if a model holds statements there, and if a person dismissed them, so that what means
 * the same does not emerge again.
 */
function openIssues(
  state: State,
  scope: Scope,
  loose: ReadonlyMap<number, number>,
  isComparable: (place: number) => boolean,
): OpenIssue[] {
  const found = new Map<number, OpenIssue>()
  const lasting = new Set<number>()
  scope.nodes.forEach((index, place) => {
    if (!loose.has(place)) lasting.add((state.nodes[index] as Node).issue)
  })
  scope.nodes.forEach((index, place) => {
    const { issue } = state.nodes[index] as Node
    const { removed = false, locked = true } = state.issues.get(issue) ?? {}
    if (locked || !isComparable(place) || (isEmerging(issue) ? !lasting.has(issue) : removed)) return
    const one = found.get(issue)
    if (one) one.places.push(place)
    else found.set(issue, { issue, places: [place] })
  })
  return [...found.values()]
}

type MergeRules = {
  isAllowed: IsAllowed
  /** whether one of two loose places praises and the other complains */
  isOpposed: (a: number, b: number) => boolean
  /** whether two loose places are in one issue already */
  isTogether: (a: number, b: number) => boolean
  /** whether a loose place comes from this issue */
  wasIn: (place: number, issueId: number) => boolean
  /** see `discountPoints` */
  discount: (similarities: Float32Array, clusters: readonly number[][]) => void
}

/** `issue`: 0 for a group of loose places alone. `joined`: the loose ones among its places. */
type MeaningGroup = { issue: number; places: number[]; joined: number[] }

/** Merges issues and loose places by average linkage, down to a mean cosine of `threshold`; never two issues. */
function mergeByMeaning(
  vectors: StatementVectors,
  issues: readonly OpenIssue[],
  loose: readonly number[],
  threshold: number,
  { isAllowed, isOpposed, isTogether, wasIn, discount }: MergeRules,
): MeaningGroup[] {
  const clusters = [...issues.map(({ places }) => places), ...loose.map((place) => [place])]
  const size = clusters.length
  const similarities = meanCosines(vectors, clusters)
  const change = (a: number, b: number, by: number) => {
    similarities[a * size + b] = (similarities[a * size + b] as number) + by
    similarities[b * size + a] = similarities[a * size + b] as number
  }
  for (let a = 0; a < size; a++) {
    for (let b = 0; b < a; b++) {
      const issueId = issues[b]?.issue ?? 0
      const place = loose[a - issues.length]
      const other = loose[b - issues.length]
      if (place === undefined || (issueId > 0 && !isAllowed(place, issueId))) change(a, b, Number.NEGATIVE_INFINITY)
      else if (other !== undefined) {
        if (isOpposed(place, other)) change(a, b, Number.NEGATIVE_INFINITY)
        else if (isTogether(place, other)) change(a, b, STAYING_BONUS)
      } else if (wasIn(place, issueId)) {
        const size = (issues[b] as OpenIssue).places.length
        const similarity = similarities[a * clusters.length + b] as number
        // Its own cosine of 1 is no evidence.
        change(a, b, size > 1 ? (similarity - 1) / (size - 1) + STAYING_BONUS : Number.NEGATIVE_INFINITY)
      }
    }
  }
  discount(similarities, clusters)
  const roots = averageLinkage(
    similarities,
    Int32Array.from(clusters, ({ length }) => length),
    threshold,
  )
  const groups = new Map<number, MeaningGroup>()
  roots.forEach((root, index) => {
    const group = groups.get(root) ?? { issue: 0, places: [], joined: [] }
    const places = clusters[index] as number[]
    group.places.push(...places)
    if (index < issues.length) group.issue = issues[index]?.issue ?? 0
    else group.joined.push(...places)
    groups.set(root, group)
  })
  return [...groups.values()]
}

/** The mean cosine of a place and the others. */
function meanCosine(vectors: StatementVectors, place: number, others: readonly number[]): number {
  let sum = 0
  for (const other of others) if (other !== place) sum += cosine(vectors, place, other)
  return Math.max(0, sum / Math.max(1, others.length - 1))
}

/** The number of different items at these places, without those that only follow their conversation; counted up to `enough`. */
export function countItemsAt(state: State, scope: Scope, places: readonly number[], enough: number): number {
  const items = new Set<string>()
  for (const place of places) {
    for (const follower of (state.nodes[scope.nodes[place] as number] as Node).followers) {
      if (isEcho(state, follower)) continue
      items.add(itemIdOf(state.statementIds[follower] as string))
      if (items.size >= enough) return items.size
    }
  }
  return items.size
}
