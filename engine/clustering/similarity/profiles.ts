import type { Features } from '../../text/features.ts'
import type { Language } from '../../text/language.ts'
import { combinedEvidence, cosineWith, meanDirection, type StatementVectors } from '../../text/statement-vectors.ts'
import type { Vocabulary } from '../../text/vocabulary.ts'
import { evidenceOf, similarityOf, weighAll } from '../../text/weights.ts'
import type { Pairs } from './nearest-pairs.ts'

const NO_GROUP = -1
/** A smaller group has no common language yet. */
const MIN_GROUP_SIZE = 3
const MAX_SAMPLE = 30
/**
 * Mean similarity to the profile from which a group counts as near-duplicates: 0.78 and more in floods, 0.72 to 0.77
 * in other groups of uniform wording.
 */
const MIN_COPY_SIMILARITY = 0.77

/** Thresholds of profile matching. Evidence: see `weights.ts`. */
export type ProfileTuning = {
  /** to add a statement that no single member speaks for */
  attach: number
  /** the best group must beat the second by this factor */
  margin: number
  /** to merge two groups: each matches the other's profile with at least this share of its evidence for its own */
  alike: number
}

/**
 * Uses whole groups where no single statement is near enough. A group's profile holds, for each term, the root of its
 * mean weight: a message that shares one word with each of several members belongs to them although it is near to
 * none. First merges groups of near-duplicates that the community search split, then adds pending statements, twice,
 * because additions change the profile slightly. Changes `labels` (the group of each place, -1 for none); returns the
 * similarity of every added place, 0 for the others.
 */
export function applyProfiles(
  labels: Int32Array,
  statements: Features[],
  pairs: Pairs,
  vocabulary: Vocabulary,
  tuning: ProfileTuning,
  vectors: StatementVectors,
): Float32Array {
  const weights = weighAll(statements, vocabulary)
  const near = adjacency(statements.length, pairs)
  const score = new ProfileScorer(statements, weights, vocabulary.size, vectors)
  mergeAlike(labels, near, score, tuning)
  const taken = new Float32Array(labels.length)
  for (let round = 0; round < 2; round++) attach(labels, near, score, tuning, taken)
  return taken
}

/** Scores places against the profile of one group at a time. */
class ProfileScorer {
  #statements: Features[]
  #weights: Float32Array[]
  #profile: Float32Array
  #terms: number[] = []
  #vectors: StatementVectors
  /** mean direction of the loaded places; all 0 if unknown */
  #centre: Float32Array
  #centred = false
  /** language of most loaded places */
  #language: Language | undefined

  constructor(statements: Features[], weights: Float32Array[], terms: number, vectors: StatementVectors) {
    this.#vectors = vectors
    this.#centre = new Float32Array(vectors.dimensions)
    this.#statements = statements
    this.#weights = weights
    this.#profile = new Float32Array(terms)
  }

  /** Loads the profile of these places for `of`. */
  load(places: number[]): void {
    const profile = this.#profile
    for (const term of this.#terms) profile[term] = 0
    this.#terms.length = 0
    for (const place of places) {
      const { terms } = this.#statements[place] as Features
      const weights = this.#weights[place] as Float32Array
      for (let t = 0; t < terms.length; t++) {
        const term = terms[t] as number
        if (profile[term] === 0) this.#terms.push(term)
        profile[term] = (profile[term] as number) + (weights[t] as number)
      }
    }
    for (const term of this.#terms) profile[term] = Math.sqrt((profile[term] as number) / places.length)
    this.#centred = meanDirection(this.#vectors, places, this.#centre)
    this.#language = mostFrequent(places.map((place) => this.#vectors.languages[place] as Language))
  }

  /** The evidence that a place belongs to the loaded profile. */
  of(place: number): number {
    const { terms } = this.#statements[place] as Features
    const weights = this.#weights[place] as Float32Array
    let sum = 0
    for (let t = 0; t < terms.length; t++) sum += (weights[t] as number) * (this.#profile[terms[t] as number] as number)
    if (!this.#centred || this.#vectors.known[place] === 0) return sum
    return combinedEvidence(
      sum,
      cosineWith(this.#vectors, place, this.#centre),
      (this.#vectors.lengthFactors[place] as number) ** 2,
      this.#vectors.languages[place] !== this.#language,
    )
  }
}

/** The most frequent language; the first on ties. */
function mostFrequent(languages: Language[]): Language | undefined {
  const counts = new Map<Language, number>()
  for (const language of languages) counts.set(language, (counts.get(language) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0]
}

function adjacency(size: number, { from, to }: Pairs): number[][] {
  const near: number[][] = Array.from({ length: size }, () => [])
  for (let p = 0; p < from.length; p++) {
    near[from[p] as number]?.push(to[p] as number)
    near[to[p] as number]?.push(from[p] as number)
  }
  return near
}

/** The places of each group; ungrouped places are left out. */
export function membersOf(labels: Int32Array): Map<number, number[]> {
  const members = new Map<number, number[]>()
  labels.forEach((label, place) => {
    if (label === NO_GROUP) return
    const places = members.get(label)
    if (places) places.push(place)
    else members.set(label, [place])
  })
  return members
}

/**
 * Merges groups of near-duplicates that match each other's profile, the most similar first. A near-duplicate's nearest
 * neighbours are all of its own variant, so no edges connect the variants.
 */
function mergeAlike(
  labels: Int32Array,
  near: number[][],
  score: ProfileScorer,
  { attach: minEvidence, alike }: ProfileTuning,
): void {
  for (let round = 0; round < 4; round++) {
    const members = membersOf(labels)
    const affinity = new Map<number, Map<number, number>>()
    for (const [label, places] of members) {
      if (places.length < MIN_GROUP_SIZE) continue
      score.load(places)
      const own = meanOf(places, score)
      if (own < evidenceOf(MIN_COPY_SIMILARITY)) continue
      const row = new Map<number, number>()
      for (const other of linkedGroups(label, places, labels, near)) {
        const theirs = members.get(other) ?? []
        const evidence = theirs.length < MIN_GROUP_SIZE ? 0 : meanOf(theirs, score)
        if (evidence >= minEvidence) row.set(other, evidence / own)
      }
      affinity.set(label, row)
    }
    const ranked: { a: number; b: number; both: number }[] = []
    for (const [a, row] of affinity) {
      for (const [b, one] of row) {
        const both = Math.min(one, affinity.get(b)?.get(a) ?? 0)
        if (a < b && both >= alike) ranked.push({ a, b, both })
      }
    }
    if (ranked.length === 0) return
    ranked.sort((x, y) => y.both - x.both || x.a - y.a || x.b - y.b)
    const merged = new Set<number>()
    for (const { a, b } of ranked) {
      if (merged.has(a) || merged.has(b)) continue
      merged.add(a).add(b)
      for (const place of members.get(b) ?? []) labels[place] = a
    }
  }
}

function meanOf(places: number[], score: ProfileScorer): number {
  const sample = places.slice(0, MAX_SAMPLE)
  return sample.reduce((sum, place) => sum + score.of(place), 0) / sample.length
}

/** The other groups that at least two edges lead to. */
function linkedGroups(label: number, places: number[], labels: Int32Array, near: number[][]): number[] {
  const links = new Map<number, number>()
  for (const place of places) {
    for (const other of near[place] as number[]) {
      const group = labels[other] as number
      if (group !== NO_GROUP && group !== label) links.set(group, (links.get(group) ?? 0) + 1)
    }
  }
  return [...links].flatMap(([group, count]) => (count > 1 ? [group] : []))
}

function attach(
  labels: Int32Array,
  near: number[][],
  score: ProfileScorer,
  { attach: minEvidence, margin }: ProfileTuning,
  taken: Float32Array,
): void {
  const members = membersOf(labels)
  const asking = new Map<number, number[]>()
  near.forEach((others, place) => {
    if (labels[place] !== NO_GROUP) return
    const groups = new Set(others.map((other) => labels[other] as number))
    for (const group of groups) {
      if (group === NO_GROUP || (members.get(group)?.length ?? 0) < MIN_GROUP_SIZE) continue
      const places = asking.get(group)
      if (places) places.push(place)
      else asking.set(group, [place])
    }
  })
  const best = new Float32Array(labels.length)
  const second = new Float32Array(labels.length)
  const group = new Int32Array(labels.length).fill(NO_GROUP)
  for (const [label, places] of asking) {
    score.load(members.get(label) as number[])
    for (const place of places) {
      const evidence = score.of(place)
      if (evidence > (best[place] as number)) {
        second[place] = best[place] as number
        best[place] = evidence
        group[place] = label
      } else if (evidence > (second[place] as number)) second[place] = evidence
    }
  }
  for (let place = 0; place < labels.length; place++) {
    const evidence = best[place] as number
    if (evidence < minEvidence || evidence < margin * (second[place] as number)) continue
    labels[place] = group[place] as number
    taken[place] = similarityOf(evidence)
  }
}
