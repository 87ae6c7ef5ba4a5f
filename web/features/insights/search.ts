import type { Insight } from '@groundswell/contract/insights.ts'

/** The insights that hold every word of `query` in number, name, summary, tags or newest evidence, whatever the case. */
export function searchInsights(insights: readonly Insight[], query: string): readonly Insight[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return insights
  return insights.filter((insight) => {
    const text = searchText(insight)
    return words.every((word) => text.includes(word))
  })
}

const texts = new WeakMap<Insight, string>()

function searchText(insight: Insight): string {
  const known = texts.get(insight)
  if (known !== undefined) return known
  const parts = [
    `#${insight.issue_number}`,
    insight.issue_name,
    insight.summary,
    ...(insight.categories ?? []).map((tag) => `${tag.cat_name} ${tag.option_value ?? ''}`),
    ...insight.evidence.map((mention) => mention.text),
  ]
  const text = parts.join('\n').toLowerCase()
  texts.set(insight, text)
  return text
}
