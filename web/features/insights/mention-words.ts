import { mentionCount } from '@groundswell/contract/insights/insight-order.ts'
import type { Insight } from '@groundswell/contract/insights.ts'

/** `1 person`, `9 people`. */
export function peopleText(count: number): string {
  return `${count} ${count === 1 ? 'person' : 'people'}`
}

/** `1 mention`, `12 mentions`. */
export function mentionsText(count: number): string {
  return `${count} ${count === 1 ? 'mention' : 'mentions'}`
}

/** `1 text`, `7 texts`. */
function textsText(count: number): string {
  return `${count} ${count === 1 ? 'text' : 'texts'}`
}

/** `12 mentions · 7 texts · 9 people`; the texts only where some are copies, the people only where they are counted. */
export function countsText(mentions: number, peopleCount: number | undefined, textCount?: number): string {
  const texts = textCount === undefined || textCount >= mentions ? [] : [textsText(textCount)]
  const people = peopleCount === undefined ? [] : [peopleText(peopleCount)]
  return [mentionsText(mentions), ...texts, ...people].join(' · ')
}

/** What is beside the mentions in a list: the texts where most mentions are copies, which says more than the people; else these. */
export function saidByText(insight: Insight): string | null {
  const { text_count, people_count } = insight
  if (text_count !== undefined && text_count * 2 <= mentionCount(insight)) return textsText(text_count)
  return people_count === undefined ? null : peopleText(people_count)
}

/** A description of a trend and its weeks; `end` is set where all mentions are older than the last weeks. */
export function trendText(trend: readonly number[], end?: string | null): string {
  const weeks = end ? `${trend.length} weeks up to ${lastDay(end)}` : `last ${trend.length} weeks`
  return `Mentions in the ${weeks}, oldest first: ${trend.join(', ')}`
}

function lastDay(end: string): string {
  return new Date(Date.parse(end) - 86_400_000).toISOString().slice(0, 10)
}
