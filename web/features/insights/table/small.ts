import type { Insight } from '@groundswell/contract/insights.ts'
import type { Settings } from '@groundswell/contract/settings.ts'

type Threshold = Pick<Settings, 'min_inputs' | 'count_people'>

/** Whether an insight was not pushed and has fewer mentions, or people where the threshold counts those, than the threshold. */
export function isSmall(insight: Insight, { min_inputs, count_people }: Threshold): boolean {
  const evidence = count_people ? insight.people_count : insight.mention_count
  return insight.status === 'created' && evidence !== undefined && evidence < min_inputs
}
