import { seeded } from '../faults/random.ts'
import { topicRows } from '../faults/topic-rows.ts'

/** Messages of which many form insights; those of different names differ. */
export function textsOf(name: string, seed: number): string[] {
  return topicRows(seeded(seed), name).map(({ text }) => text)
}
