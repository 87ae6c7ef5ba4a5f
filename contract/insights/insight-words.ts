import type { Insight } from '../insights.ts'
import { finder, type SearchableText, searchable } from '../values/fold-text.ts'
import type { InsightFinder } from './insight-filter.ts'

const texts = new WeakMap<Insight, SearchableText>()

/** The searchable text of an insight: number, name, summary, tags and newest evidence. */
function searchText(insight: Insight): SearchableText {
  const known = texts.get(insight)
  if (known !== undefined) return known
  const parts = [
    `#${insight.issue_number}`,
    insight.issue_name,
    insight.summary,
    ...(insight.categories ?? []).map((tag) => `${tag.cat_name} ${tag.option_value ?? ''}`),
    ...(insight.evidence ?? []).map((mention) => mention.text),
  ]
  const text = searchable(parts.join('\n'))
  texts.set(insight, text)
  return text
}

/** Whether an insight has every word of a search, ignoring case, accents and width; text in double quotes has to match as it is. */
export function insightFinder(words: string): InsightFinder {
  if (words.trim() === '') return null
  const finds = finder(words)
  return (insight) => finds(searchText(insight))
}
