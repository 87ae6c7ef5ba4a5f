import type { Insight } from '@groundswell/contract/insights.ts'

/** How many mentions an insight has; a server that does not count them sends them all. */
export function mentionCount(insight: Insight): number {
  return insight.mention_count ?? insight.evidence?.length ?? 0
}
