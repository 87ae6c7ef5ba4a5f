import { mentionCount, recentMentions } from '@groundswell/contract/insights/insight-order.ts'
import type { Theme } from '@groundswell/contract/insights/themes.ts'
import type { Insight } from '@groundswell/contract/insights.ts'
import type { Sort } from '../table/sort.ts'

/** The key of the insights in no theme. */
export const REST = 0

/** Insights under one heading. `id`: of the theme, `REST` for those in none. */
export type Section = {
  id: number
  name: string
  byPerson: boolean
  insights: readonly Insight[]
  mentions: number
  /** mentions by week, oldest first; `end` as of an insight */
  trend: readonly number[]
  end: string | null
  /** the insight that was updated last */
  latest: Insight | null
}

/** One line of the grouped table: a heading, or an insight under one. `index`: of the heading's line. */
export type Line =
  | { kind: 'section'; section: Section; isOpen: boolean }
  | { kind: 'insight'; insight: Insight; heading: number }

/**
 * The listed insights by theme, in the order of the table: by the sums of their mentions, by name, or by their first insight. Those in no
 * theme are last. `keepEmpty`: also themes of people without any listed insight.
 */
export function sectionsOf(
  insights: readonly Insight[],
  themes: readonly Theme[],
  sort: Sort,
  keepEmpty: boolean,
): Section[] {
  const themeOf = new Map(
    themes.flatMap((theme) => theme.issue_numbers.map((number) => [number, theme.theme_id] as const)),
  )
  const groups = Map.groupBy(insights, (insight) => themeOf.get(insight.issue_number) ?? REST)
  const order = [...groups.keys()]
  const sections = themes
    .filter(({ theme_id }) => keepEmpty || groups.has(theme_id))
    .map((theme) => sectionOf(theme.theme_id, theme.name, theme.by_person, groups.get(theme.theme_id) ?? []))
  sections.sort(comparer(sort, order))
  const rest = groups.get(REST) ?? []
  return rest.length > 0 ? [...sections, sectionOf(REST, 'In no theme', false, rest)] : sections
}

/** The lines of the table: each section, and below it its insights if it is open. */
export function linesOf(sections: readonly Section[], isOpen: (section: Section) => boolean): Line[] {
  const lines: Line[] = []
  for (const section of sections) {
    const open = isOpen(section)
    const heading = lines.length
    lines.push({ kind: 'section', section, isOpen: open })
    if (open) for (const insight of section.insights) lines.push({ kind: 'insight', insight, heading })
  }
  return lines
}

function sectionOf(id: number, name: string, byPerson: boolean, insights: readonly Insight[]): Section {
  return {
    id,
    name,
    byPerson,
    insights,
    mentions: insights.reduce((sum, one) => sum + mentionCount(one), 0),
    ...trendOf(insights),
    latest: insights.toSorted((a, b) => Date.parse(b.last_updated) - Date.parse(a.last_updated))[0] ?? null,
  }
}

/** The sum of the trends that end last: of the current week, unless all mentions are older. */
function trendOf(insights: readonly Insight[]): { trend: number[]; end: string | null } {
  const trends = insights.filter((one) => one.trend)
  const isCurrent = trends.some((one) => !one.trend_end)
  const end = isCurrent
    ? null
    : (trends
        .map((one) => one.trend_end ?? '')
        .sort()
        .at(-1) ?? null)
  const trend: number[] = []
  for (const one of trends) {
    if ((one.trend_end ?? null) !== end) continue
    one.trend?.forEach((count, week) => {
      trend[week] = (trend[week] ?? 0) + count
    })
  }
  return { trend, end }
}

function comparer({ column, descending }: Sort, order: readonly number[]): (a: Section, b: Section) => number {
  const direction = descending ? -1 : 1
  const place = ({ id }: Section) => {
    const at = order.indexOf(id)
    return at < 0 ? order.length : at
  }
  const recent = ({ trend, end }: Section) => recentMentions({ trend, trend_end: end })
  return (a, b) => {
    if (column === 'mentions') return direction * (a.mentions - b.mentions) || place(a) - place(b)
    if (column === 'trend') return direction * (recent(a) - recent(b)) || place(a) - place(b)
    if (column === 'issue_name') return direction * a.name.localeCompare(b.name)
    return place(a) - place(b)
  }
}
