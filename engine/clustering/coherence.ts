import { subjectProbability } from '../kinds/classify.ts'
import type { Node } from '../state/state.ts'
import { cosine, type StatementVectors } from '../text/statement-vectors.ts'
import { UNKNOWN } from '../text/vector-rows.ts'

/** Members that each member is compared with. */
const NEAREST = 3
/** A group below this stays emerging. */
const MIN_COHERENCE = 0.42

/** A member of a group: its place among the vectors, and what is kept of it. */
export type Member = { place: number; node: Pick<Node, 'text' | 'vector'> }

/**
 * Whether a group is about one subject, and about any: otherwise its members only share words, or are praise and rants, and it stays emerging.
 * A group of which most members have no vector is taken to be.
 */
export function isCoherent(vectors: StatementVectors, members: readonly Member[]): boolean {
  const known = members.filter(({ place }) => vectors.known[place] !== UNKNOWN)
  if (known.length < 2 || known.length * 2 < members.length) return true
  const alike = mean(known.map(({ place }) => nearestMean(vectors, place, known)))
  return alike >= MIN_COHERENCE && alike * mean(known.map(({ node }) => subjectProbability(node))) >= MIN_COHERENCE
}

/** The mean cosine to the nearest other members. */
function nearestMean(vectors: StatementVectors, place: number, members: readonly Member[]): number {
  const nearest = members
    .flatMap((other) => (other.place === place ? [] : cosine(vectors, place, other.place)))
    .sort((a, b) => b - a)
    .slice(0, NEAREST)
  return mean(nearest)
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}
