import type { Insight } from '@groundswell/contract/insights.ts'

/** The number of insights with each value of a part, largest first. */
export function countValues(
  insights: readonly Insight[],
  values: (insight: Insight) => readonly (string | null)[],
): { value: string; count: number }[] {
  const counts = new Map<string, number>()
  for (const insight of insights) {
    const all = values(insight)
    for (const [place, value] of all.entries()) {
      if (value && all.indexOf(value) === place) counts.set(value, (counts.get(value) ?? 0) + 1)
    }
  }
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || a.value.localeCompare(b.value))
}
