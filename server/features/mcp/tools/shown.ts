import type { CorrectionChange } from '@groundswell/contract/corrections.ts'
import type { FoundFeedback } from '@groundswell/contract/feedback/feedback-search.ts'
import { insightOutputs, pickFields } from '@groundswell/contract/insight-fields.ts'
import type { Theme } from '@groundswell/contract/insights/themes.ts'
import type { Insight, Mention } from '@groundswell/contract/insights.ts'

// What tools return. Everything written by customers, or derived from it, is in a field called `untrusted`.

/** Longer texts are cut, so that a page stays readable for a model. */
const MAX_TEXT = 2_000

type Json = Record<string, unknown>

/** A mention, with the message around it where that says more. */
export function showMention(mention: Mention): Json {
  const { id, text, message, author, place, link, date, date_only, source, kind, in_thread } = mention
  const around = message !== undefined && message !== text ? { message: cut(message) } : {}
  return given({
    mention_id: id,
    said_at: dayOrMoment(date, date_only),
    source,
    kind,
    in_thread: in_thread || undefined,
    untrusted: given({ text: cut(text), ...around, author, place, link }),
  })
}

/** A message that a search found, and the insights it is in. */
export function showFound({ insights, found_by, ...mention }: FoundFeedback): Json {
  return given({ ...showMention(mention), found_by, insights: insights.map(showNamed) })
}

/** An insight by its number and name. */
export function showNamed({ issue_number, issue_name }: FoundFeedback['insights'][number]): Json {
  return { issue_number, untrusted: { name: issue_name } }
}

/** An insight as it is listed, without its evidence. */
export function showInsight(insight: Insight): Json {
  const { trend, issue_name: name, summary, categories } = insight
  const tags = Object.fromEntries(
    categories.flatMap(({ cat_name, option_value }) => (option_value === null ? [] : [[cat_name, option_value]])),
  )
  return given({
    ...pickFields(insight, insightOutputs.agents),
    first_seen: dayOrMoment(insight.first_seen, insight.first_seen_date_only),
    last_seen: dayOrMoment(insight.last_seen, insight.last_seen_date_only),
    weekly_mentions: trend,
    untrusted: given({ name, summary: cut(summary), tags: Object.keys(tags).length > 0 ? tags : undefined }),
  })
}

/** A theme, with the numbers of its first 100 insights. */
export function showTheme({ theme_id, name, issue_numbers, mention_count, trend }: Theme): Json {
  return {
    theme_id,
    mention_count,
    insight_count: issue_numbers.length,
    issue_numbers: issue_numbers.slice(0, 100),
    weekly_mentions: trend,
    untrusted: { name },
  }
}

/** What a correction does to one insight. */
export function showChange({ name, ...numbers }: CorrectionChange): Json {
  return { ...numbers, untrusted: { name } }
}

/** A date without the midnight that stands for an unknown time. */
const dayOrMoment = (date: string | null | undefined, dateOnly: boolean | undefined) =>
  dateOnly ? date?.slice(0, 10) : date

function cut(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT).toWellFormed()}… (${text.length} characters)`
}

function given(fields: Json): Json {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null))
}
