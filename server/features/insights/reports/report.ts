import type { Report, ReportSeries } from '@groundswell/contract/reports.ts'
import { dayOf } from '../../../platform/day.ts'
import type { Tx } from '../../../platform/db/tenant.ts'
import { compareBy } from '../attributes/worthy.ts'
import { type Asked, countParts, DAY_MS, readScope, type Scope } from './scope.ts'
import type { ReportSpan } from './span-store.ts'
import { type PartCount, readDays } from './store.ts'

/** The rest is counted together. */
const MAX_SERIES = 7

/** A report; throws `invalid_input` when it would have no day or too many. */
export async function viewReport(tx: Tx, workspaceId: string, asked: Asked): Promise<Report> {
  const scope = await readScope(tx, workspaceId, asked)
  const { span, by, tag, tags } = scope
  const starts = startsOf(span)
  const counts = await countParts(tx, workspaceId, scope, span)
  const parts = by === 'none' ? [] : divide(scope, counts, starts)
  const rest = parts.slice(MAX_SERIES)
  const series = rest.length > 1 ? parts.slice(0, MAX_SERIES) : parts
  const days = await readDays(tx, workspaceId, span.zone)
  return {
    time_zone: span.zone,
    from: span.from,
    to: span.to,
    previous_from: span.previousFrom,
    unit: span.unit,
    starts,
    all: seriesOf(null, null, counts, starts),
    series: by === 'attribute' ? byValue(series) : series,
    others: rest.length > 1 ? together(rest, starts.length) : null,
    tag,
    tags: [...tags],
    ...(by === 'attribute' ? { attribute: asked.attribute ?? null } : {}),
    first_day: days.first,
    last_day: days.last,
  }
}

/** Values with an order of their own, such as numbers, in that order; what has no value comes last. */
function byValue(series: readonly ReportSeries[]): ReportSeries[] {
  const compare = compareBy(series.flatMap(({ key }) => key ?? []))
  if (compare === null) return [...series]
  return series.toSorted((a, b) =>
    a.key === null || b.key === null ? Number(a.key === null) - Number(b.key === null) : compare(a.key, b.key),
  )
}

/** The first day of each day, week or month of the span. */
function startsOf({ from, to, unit }: ReportSpan): string[] {
  const starts: string[] = []
  for (let start = from; start <= to; start = nextStart(start, unit)) starts.push(start)
  return starts
}

function nextStart(start: string, unit: ReportSpan['unit']): string {
  const date = new Date(start)
  if (unit === 'month') return dayOf(new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)))
  const days = unit === 'day' ? 1 : 7 - ((date.getUTCDay() + 6) % 7)
  return dayOf(new Date(date.getTime() + days * DAY_MS))
}

/** The parts of a report, most mentions first. */
export function divide({ parts }: Scope, counts: readonly PartCount[], starts: readonly string[]): ReportSeries[] {
  const labelOf = (key: string | null) =>
    key === null || 'dimension' in parts ? null : (parts.labels.get(key) ?? null)
  return [...Map.groupBy(counts, (one) => one.key)]
    .map(([key, own]) => seriesOf(key, labelOf(key), own, starts))
    .sort((a, b) => b.total - a.total || b.previous - a.previous || String(a.key).localeCompare(String(b.key)))
}

function seriesOf(
  key: string | null,
  label: string | null,
  counts: readonly PartCount[],
  starts: readonly string[],
): ReportSeries {
  const places = new Map(starts.map((start, place) => [start, place]))
  const series = { key, label, counts: starts.map(() => 0), total: 0, previous: 0 }
  for (const { start, mentions } of counts) {
    if (start === null) series.previous += mentions
    else {
      const place = places.get(start)
      if (place === undefined) throw new Error(`a report has no ${start}`)
      series.counts[place] = (series.counts[place] ?? 0) + mentions
      series.total += mentions
    }
  }
  return series
}

function together(parts: readonly ReportSeries[], length: number): ReportSeries {
  const counts = Array.from({ length }, (_, place) => parts.reduce((sum, one) => sum + (one.counts[place] ?? 0), 0))
  const total = parts.reduce((sum, one) => sum + one.total, 0)
  return { key: null, label: null, counts, total, previous: parts.reduce((sum, one) => sum + one.previous, 0) }
}
