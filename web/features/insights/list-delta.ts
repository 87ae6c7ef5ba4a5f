import { INSIGHTS_DELTA, type Insight, type InsightsDelta } from '@groundswell/contract/insights.ts'

/** Times of the form that the server sends sort as text. */
function newestFirst(one: Insight, other: Insight): number {
  if (one.last_updated === other.last_updated) return other.issue_number - one.issue_number
  return one.last_updated < other.last_updated ? 1 : -1
}

/** How a list of insights is brought up to date. Insights that did not change stay the same objects, and the order is the server's. */
export const listDelta = {
  header: INSIGHTS_DELTA,
  apply(before: Insight[], changes: unknown): { reply: Insight[]; sample: Insight[] } {
    const { changed, removed } = changes as InsightsDelta
    const gone = new Set([...removed, ...changed.map((insight) => insight.issue_number)])
    const kept = before.filter((insight) => !gone.has(insight.issue_number))
    return { reply: [...kept, ...changed].sort(newestFirst), sample: changed }
  },
}
