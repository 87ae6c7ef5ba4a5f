import { REVENUE_BANDS, type Report, type ReportPart, type ReportSeries } from '@groundswell/contract/reports.ts'
import { csvLine } from '@groundswell/contract/values/csv-cell.ts'
import { kindLabel } from '../kinds/kind-words.ts'

const days = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })
const months = new Intl.DateTimeFormat(undefined, { year: 'numeric', month: 'long', timeZone: 'UTC' })
const shortDays = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' })
const shortMonths = new Intl.DateTimeFormat(undefined, { year: 'numeric', month: 'short', timeZone: 'UTC' })
const counts = new Intl.NumberFormat()
const percents = new Intl.NumberFormat(undefined, { style: 'percent', signDisplay: 'exceptZero' })

/** A part of the report with its name; `to`: the address of its insights, where there is one. */
export type ReportRow = { label: string; series: ReportSeries; to: string | null }

const NONE: Readonly<Record<ReportPart, string>> = {
  none: 'All mentions',
  theme: 'No theme',
  kind: 'No kind',
  tag: 'No value',
  source: 'Unknown source',
  plan: 'Unknown plan',
  region: 'Unknown region',
  revenue: 'Unknown revenue',
  attribute: 'No value',
}

/** The labels of the dimensions that mentions can be broken down by. */
export const PART_WORDS: Readonly<Record<ReportPart, string>> = {
  none: 'All mentions',
  theme: 'By theme',
  kind: 'By kind',
  tag: 'By tag',
  source: 'By source',
  plan: 'By customer plan',
  region: 'By customer region',
  revenue: 'By customer revenue',
  attribute: 'By attribute',
}

/** A count with separators of thousands. */
export const countText = (count: number) => counts.format(count)

/** The text for a day that is given as YYYY-MM-DD. */
export const dayText = (day: string) => days.format(Date.parse(day))

/** The day, week or month that begins on a day. */
export function periodText(start: string, unit: Report['unit']): string {
  return unit === 'week' ? `week of ${dayText(start)}` : startText(start, unit)
}

/** The same in a column that says which it is. */
export function startText(start: string, unit: Report['unit']): string {
  return unit === 'month' ? months.format(Date.parse(start)) : dayText(start)
}

/** The same below a chart. */
export function axisText(start: string, unit: Report['unit']): string {
  return (unit === 'month' ? shortMonths : shortDays).format(Date.parse(start))
}

/** A day in a text about days around `near`: with its year only where that is another one. */
export function dayNear(day: string, near: string): string {
  return day.slice(0, 4) === near.slice(0, 4) ? shortDays.format(Date.parse(day)) : dayText(day)
}

/** What a chart of a part shows, for those who do not see it. */
export function rowText({ label, series }: ReportRow, { from, to, unit }: Report): string {
  return `${label}: ${countText(series.total)} from ${dayText(from)} to ${dayText(to)}, by ${unit}`
}

/** The name of a part. */
export function partLabel(
  { key, label }: Pick<ReportSeries, 'key' | 'label'>,
  by: ReportPart,
  connectorName: (id: string) => string,
): string {
  if (key === null) return NONE[by]
  if (by === 'kind') return kindLabel(key)
  if (by === 'revenue') return bandText(Number(key))
  return by === 'source' ? connectorName(key) : (label ?? key)
}

/** A revenue band by its lower bound. */
function bandText(from: number): string {
  const to = REVENUE_BANDS.find((bound) => bound > from)
  if (to === undefined) return `Revenue of ${countText(from)} or more`
  return from === 0 ? `Revenue below ${countText(to)}` : `Revenue of ${countText(from)} to ${countText(to)}`
}

/** How much more or less than before: `+12%`; null when there is nothing to compare with. */
export function changeText({ total, previous }: Pick<ReportSeries, 'total' | 'previous'>): string | null {
  return previous === 0 ? null : percents.format((total - previous) / previous)
}

/** A part compared with the time before; null where nothing at all was said before, `before` mentions in all: then every part would be new. */
export function comparedText(amounts: Pick<ReportSeries, 'total' | 'previous'>, before: number): string | null {
  if (before === 0) return null
  return changeText(amounts) ?? (amounts.total === 0 ? 'none before' : 'new')
}

/** Warns where messages begin within the previous period, which then counts too few; null: they do not. */
export function partlyKnownText({ all, first_day, previous_from, from }: Report): string | null {
  if (all.previous === 0 || first_day === null || first_day <= previous_from) return null
  return first_day < from ? `Feedback begins on ${dayText(first_day)}, so that period is not complete.` : null
}

/** The filter of the table that shows the insights of a part; null where there is none. */
export function insightsOf(
  key: string | null,
  by: ReportPart,
  { tag, attribute, attributes }: { tag: string | null; attribute: string | null; attributes: string },
): string | null {
  if (key === null) return null
  const to = (part: Record<string, string>) =>
    `/insights?${new URLSearchParams({ ...(attributes === '' ? {} : { attributes }), ...part })}`
  if (by === 'kind') return to({ kind: key })
  if (by === 'source') return to({ source: key })
  if (by === 'tag') return to({ tag: `${tag}: ${key}` })
  if (by === 'attribute' && attribute !== null)
    return to({ attributes: new URLSearchParams({ [attribute]: key }).toString() })
  return null
}

/** The report as CSV: a line for each day, week or month, then the totals and those of the time before. */
export function reportCsv(report: Report, rows: readonly ReportRow[]): string {
  const head = [report.unit, ...rows.map((row) => row.label)]
  const lines = report.starts.map((start, place) => [start, ...rows.map(({ series }) => series.counts[place] ?? 0)])
  const total = [`total ${report.from} to ${report.to}`, ...rows.map(({ series }) => series.total)]
  const before = [`total since ${report.previous_from}, before`, ...rows.map(({ series }) => series.previous)]
  return [head, ...lines, total, before].map(csvLine).join('')
}
