import type { Insight } from '@groundswell/contract/insights.ts'
import type { Settings } from '@groundswell/contract/settings.ts'

type Threshold = Pick<Settings, 'min_inputs' | 'count_people' | 'count_by'>

/** Whether an insight was not pushed and has fewer mentions, or people or customers where the threshold counts those, than the threshold. */
export function isSmall(insight: Insight, { min_inputs, count_people, count_by }: Threshold): boolean {
  const evidence =
    count_by === 'customers'
      ? (insight.customer_count ?? 0)
      : (count_by === undefined ? count_people : count_by === 'people')
        ? insight.people_count
        : insight.mention_count
  return insight.status === 'created' && evidence !== undefined && evidence < min_inputs
}
