import type { Insight } from '@groundswell/contract/insights.ts'

const texts = new WeakMap<Insight, string>()

/** The searchable text of an insight in lower case: number, name, summary, tags and newest evidence. */
export function searchText(insight: Insight): string {
  const known = texts.get(insight)
  if (known !== undefined) return known
  const parts = [
    `#${insight.issue_number}`,
    insight.issue_name,
    insight.summary,
    ...(insight.categories ?? []).map((tag) => `${tag.cat_name} ${tag.option_value ?? ''}`),
    ...(insight.evidence ?? []).map((mention) => mention.text),
  ]
  const text = parts.join('\n').toLowerCase()
  texts.set(insight, text)
  return text
}
