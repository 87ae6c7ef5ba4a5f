import { seededRandom, shuffled } from '@groundswell/engine/clustering/random.ts'
import type { Row } from './stream.ts'

/** Messages without a subject per ten. */
const NOISE_PER_TEN = 4

/** All messages of `count` random subjects, and noise in the proportion of a small company. */
export function fewSubjects(rows: readonly Row[], count: number, seed: number): Row[] {
  const random = seededRandom(seed)
  const labels = [...new Set(rows.flatMap(({ label }) => label ?? []))]
  const chosen = new Set(shuffled(labels, random).slice(0, count))
  const said = rows.filter(({ label }) => label !== null && chosen.has(label))
  const noise = rows.filter(({ label }) => label === null)
  return [
    ...said,
    ...shuffled(noise, random).slice(0, Math.round((said.length * NOISE_PER_TEN) / (10 - NOISE_PER_TEN))),
  ]
}
