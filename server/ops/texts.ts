import { seeded } from '../faults/random.ts'
import { topicRows } from '../faults/topic-rows.ts'

/** Messages of a workload: many of them form insights. Different names give different messages. */
export function textsOf(name: string, seed: number): string[] {
  return topicRows(seeded(seed), name).map(({ text }) => text)
}
