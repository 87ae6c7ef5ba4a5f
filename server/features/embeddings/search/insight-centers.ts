import { defineCache } from '../../../platform/caches.ts'
import type { Tx } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import { addVector, dimensionsOf, packVector, similarityOf } from '../vector-bytes.ts'
import { readLargest, readNewestVectors } from './insight-vectors-store.ts'

/** The insights with the most mentions that are compared; smaller ones are found by words. */
const MAX_INSIGHTS = 5_000
/** The mean of the vectors of this many newest mentions stands for an insight. */
const SAMPLE = 12
/** The insights whose vectors one query reads. */
const INSIGHTS_PER_QUERY = 500
/** The most centers in memory, of all workspaces together: about 20 MiB. The workspace that was not searched for the longest time is dropped first. */
const MAX_CENTERS = 50_000

/** `mentions` and `vectors`: how many the insight had, and of how many of them `center` is the mean; null: of none. */
type Center = { mentions: number; vectors: number; center: Buffer | null }
type Centers = { space: string; of: Map<number, Center> }

const centersKey = defineCache('centers of insights', () => new Map<string, Centers>())

/**
 * How similar each of the largest insights is to a vector. The center of an insight is the mean of its newest vectors, and is kept in memory: it is
 * computed again when the insight's number of mentions changes, or while not all of the sample has a vector.
 */
export async function similarInsights(
  services: Services,
  tx: Tx,
  workspaceId: string,
  { space, vector }: { space: string; vector: Float32Array },
): Promise<{ issueNumber: number; similarity: number }[]> {
  const known = services.caches.of(centersKey)
  const before = known.get(workspaceId)
  const former = before?.space === space ? before.of : new Map<number, Center>()
  const of = new Map<number, Center>()
  const outdated: { issueNumber: number; mentions: number }[] = []
  for (const { issueNumber, mentions } of await readLargest(tx, workspaceId, MAX_INSIGHTS)) {
    const center = former.get(issueNumber)
    if (center?.mentions === mentions && center.vectors >= Math.min(mentions, SAMPLE)) of.set(issueNumber, center)
    else outdated.push({ issueNumber, mentions })
  }
  for (let at = 0; at < outdated.length; at += INSIGHTS_PER_QUERY) {
    const some = outdated.slice(at, at + INSIGHTS_PER_QUERY)
    const issueNumbers = some.map(({ issueNumber }) => issueNumber)
    const rows = await readNewestVectors(tx, workspaceId, space, { issueNumbers, limit: SAMPLE })
    const vectors = Map.groupBy(rows, (row) => row.issueNumber)
    for (const { issueNumber, mentions } of some) {
      const sample = (vectors.get(issueNumber) ?? []).map((row) => row.vector)
      of.set(issueNumber, { mentions, vectors: sample.length, center: meanOf(sample) })
    }
  }
  known.delete(workspaceId)
  known.set(workspaceId, { space, of })
  forgetOldest(known)
  return [...of].flatMap(([issueNumber, { center }]) =>
    center === null ? [] : [{ issueNumber, similarity: similarityOf(center, vector) }],
  )
}

function forgetOldest(known: Map<string, Centers>): void {
  let count = 0
  for (const { of } of known.values()) count += of.size
  for (const [workspaceId, { of }] of known) {
    if (count <= MAX_CENTERS || known.size === 1) return
    known.delete(workspaceId)
    count -= of.size
  }
}

function meanOf(sample: readonly Buffer[]): Buffer | null {
  const [first] = sample
  if (!first) return null
  const sum = new Float32Array(dimensionsOf(first))
  for (const vector of sample) addVector(sum, vector)
  return packVector(sum)
}
