import { readAttributes } from '@groundswell/contract/attributes.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import { tagKey } from '@groundswell/contract/insight-filter.ts'
import { MAX_REPORT_DAYS, type Report, type ReportPart, type ReportSeries } from '@groundswell/contract/reports.ts'
import { dayOf } from '../../../platform/day.ts'
import type { Tx } from '../../../platform/db/tenant.ts'
import { daysOf } from '../../workspaces/index.ts'
import { readChosen, readValuesOf } from '../attributes/value-store.ts'
import { compareBy } from '../attributes/worthy.ts'
import { readShownNumbers } from '../export/export-store.ts'
import { readTags } from '../tagging/store.ts'
import { viewTag } from '../tagging/tags.ts'
import { readThemes } from '../themes/store.ts'
import {
  countByAttribute,
  countByKind,
  countBySegment,
  countBySource,
  countGroups,
  type Groups,
  type PartCount,
  type ReportSpan,
} from './store.ts'

const DAY_MS = 86_400_000
/** A report has a bar per day up to this many days, then a bar per week, then per month. */
const MAX_DAYS = 31
const MAX_WEEK_DAYS = 371
/** The rest is counted together. */
const MAX_SERIES = 7

export type Asked = {
  from: string
  to: string
  by: ReportPart
  tag?: string | undefined
  attribute?: string | undefined
  attributes?: string | undefined
}

/** A report; throws `invalid_input` when it would have no day or too many. */
export async function viewReport(tx: Tx, workspaceId: string, asked: Asked): Promise<Report> {
  const values = await readChosen(tx, workspaceId, readAttributes(asked.attributes ?? ''))
  const span = { ...spanOf(asked, await daysOf(tx, workspaceId)), values }
  const starts = startsOf(span)
  const shown = await readShownNumbers(tx, workspaceId)
  const tags = asked.by === 'tag' ? await readTagValues(tx, workspaceId, shown) : new Map<string, Map<number, string>>()
  const names = [...tags.keys()].sort((a, b) => a.localeCompare(b))
  const tag = asked.tag ?? names[0] ?? null
  const { counts, labels } =
    asked.by === 'attribute'
      ? await countValues(tx, workspaceId, span, shown, asked.attribute ?? '')
      : await countParts(tx, workspaceId, span, asked.by, shown, tags.get(tag ?? '') ?? new Map())
  const all = seriesOf(null, null, counts, starts)
  const parts = asked.by === 'none' ? [] : divide(counts, labels, starts)
  const rest = parts.slice(MAX_SERIES)
  const series = rest.length > 1 ? parts.slice(0, MAX_SERIES) : parts
  return {
    time_zone: span.zone,
    from: span.from,
    to: span.to,
    previous_from: span.previousFrom,
    unit: span.unit,
    starts,
    all,
    series: asked.by === 'attribute' ? byValue(series) : series,
    others: rest.length > 1 ? together(rest, starts.length) : null,
    tag: asked.by === 'tag' ? tag : null,
    tags: names,
    ...(asked.by === 'attribute' ? { attribute: asked.attribute ?? null } : {}),
  }
}

type Parts = { counts: PartCount[]; labels?: ReadonlyMap<string, string> }

async function countParts(
  tx: Tx,
  workspaceId: string,
  span: ReportSpan,
  by: ReportPart,
  shown: readonly number[],
  values: ReadonlyMap<number, string>,
): Promise<Parts> {
  if (by === 'kind') return { counts: await countByKind(tx, workspaceId, span, groupsOf(shown)) }
  if (by === 'source') return { counts: await countBySource(tx, workspaceId, span, groupsOf(shown)) }
  if (by === 'plan' || by === 'region' || by === 'revenue')
    return { counts: await countBySegment(tx, workspaceId, span, groupsOf(shown), by) }
  const placed = by === 'theme' ? await readThemePlaces(tx, workspaceId) : { keys: values, labels: undefined }
  // The first group is that of insights without a key.
  const keys = [null, ...new Set(placed.keys.values())]
  const places = new Map(keys.map((key, place) => [key, place + 1]))
  const groups = groupsOf(shown, (number) => places.get(placed.keys.get(number) ?? null) ?? 1)
  const counted = await countGroups(tx, workspaceId, span, groups)
  return {
    counts: counted.map((one) => ({ ...one, key: keys[Number(one.key) - 1] ?? null })),
    labels: placed.labels ?? new Map([...values.values()].map((value) => [value, value])),
  }
}

/** By the values of an attribute; those of a name that has too many, and what has none, are together. */
async function countValues(
  tx: Tx,
  workspaceId: string,
  span: ReportSpan,
  shown: readonly number[],
  name: string,
): Promise<Parts> {
  const values = await readValuesOf(tx, workspaceId, name)
  const counts = await countByAttribute(tx, workspaceId, span, groupsOf(shown), [...values.keys()])
  return { counts: counts.map((one) => ({ ...one, key: values.get(Number(one.key)) ?? null })) }
}

/** Values with an order of their own, such as numbers, in that order; what has no value comes last. */
function byValue(series: readonly ReportSeries[]): ReportSeries[] {
  const compare = compareBy(series.flatMap(({ key }) => key ?? []))
  if (compare === null) return [...series]
  return series.toSorted((a, b) =>
    a.key === null || b.key === null ? Number(a.key === null) - Number(b.key === null) : compare(a.key, b.key),
  )
}

async function readThemePlaces(tx: Tx, workspaceId: string) {
  const themes = await readThemes(tx, workspaceId)
  return {
    keys: new Map(
      themes.flatMap(({ id, issueNumbers }) => issueNumbers.map((number) => [number, String(id)] as const)),
    ),
    labels: new Map(themes.map(({ id, name }) => [String(id), name])),
  }
}

function groupsOf(shown: readonly number[], groupOf: (number: number) => number = () => 1): Groups {
  const groups = new Uint32Array(shown.reduce((most, number) => Math.max(most, number), 0) + 1)
  for (const number of shown) groups[number] = groupOf(number)
  return groups
}

/** The values of the tags that have a few, by tag and insight. */
async function readTagValues(
  tx: Tx,
  workspaceId: string,
  shown: readonly number[],
): Promise<Map<string, Map<number, string>>> {
  const tags = new Map<string, Map<number, string>>()
  for (const row of await readTags(tx, workspaceId, shown)) {
    const tag = viewTag(row)
    const key = tagKey(tag)
    if (key === null) continue
    const values = tags.get(tag.cat_name) ?? new Map<number, string>()
    values.set(row.issueNumber, key.slice(tag.cat_name.length + 2))
    tags.set(tag.cat_name, values)
  }
  return tags
}

function spanOf({ from, to }: Asked, zone: string): Omit<ReportSpan, 'values'> {
  const days = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1
  if (days < 1) throw new ContractError('invalid_input', 'The report ends before it begins')
  if (days > MAX_REPORT_DAYS) throw new ContractError('invalid_input', 'A report can cover at most five years')
  const previousFrom = dayOf(new Date(Date.parse(from) - days * DAY_MS))
  return { zone, previousFrom, from, to, unit: days <= MAX_DAYS ? 'day' : days <= MAX_WEEK_DAYS ? 'week' : 'month' }
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

function divide(
  counts: readonly PartCount[],
  labels: ReadonlyMap<string, string> | undefined,
  starts: readonly string[],
): ReportSeries[] {
  const parts = [...Map.groupBy(counts, (one) => one.key)]
  return parts
    .map(([key, own]) => seriesOf(key, key === null ? null : (labels?.get(key) ?? null), own, starts))
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
