import { ContractError } from '@groundswell/contract/errors.ts'
import { readAttributes } from '@groundswell/contract/insights/attributes.ts'
import { tagKey } from '@groundswell/contract/insights/insight-filter.ts'
import { MAX_REPORT_DAYS, type ReportPart } from '@groundswell/contract/reports.ts'
import { dayOf } from '../../../platform/day.ts'
import type { Tx } from '../../../platform/db/tenant.ts'
import { daysOf } from '../../workspaces/index.ts'
import { readChosen, readValuesOf } from '../attributes/value-store.ts'
import { readShownNumbers } from '../export/export-store.ts'
import { readTags } from '../tagging/store.ts'
import { viewTag } from '../tagging/tags.ts'
import { readThemes } from '../themes/store.ts'
import {
  allDimension,
  attributeDimension,
  type Dimension,
  kindDimension,
  segmentDimension,
  sourceDimension,
} from './dimension-store.ts'
import type { ReportSpan } from './span-store.ts'
import { countGroups, countMentions, type Groups, type PartCount } from './store.ts'

/** A day of UTC in milliseconds. */
export const DAY_MS = 86_400_000
/** A report has a bar per day up to this many days, then a bar per week, then per month. */
const MAX_DAYS = 31
const MAX_WEEK_DAYS = 371

/** What somebody asks a report of. */
export type Asked = {
  from: string
  to: string
  by: ReportPart
  tag?: string | undefined
  attribute?: string | undefined
  attributes?: string | undefined
}

/** Parts that are sets of insights: `keyOf` an insight by its number, null: it is in none. */
type InsightParts = { keyOf: (number: number) => string | null; labels: ReadonlyMap<string, string> }
/** Parts that are sets of mentions: the key of a dimension is that of the part, by another name where `names` has one. */
type MentionParts = { dimension: Dimension; names: ReadonlyMap<string, string> | null }

/** What a report is of: its span, the shown insights, and how their mentions are divided. `tags`: by which they could be. */
export type Scope = {
  span: ReportSpan
  by: ReportPart
  shown: readonly number[]
  tag: string | null
  tags: readonly string[]
  parts: InsightParts | MentionParts
}

/** Reads what a report is of; throws `invalid_input` when it would have no day or too many. */
export async function readScope(tx: Tx, workspaceId: string, asked: Asked): Promise<Scope> {
  const values = await readChosen(tx, workspaceId, readAttributes(asked.attributes ?? ''))
  const span = { ...spanOf(asked, await daysOf(tx, workspaceId)), values }
  const shown = await readShownNumbers(tx, workspaceId)
  const { by } = asked
  const tags = by === 'tag' ? await readTagValues(tx, workspaceId, shown) : new Map<string, Map<number, string>>()
  const names = [...tags.keys()].sort((a, b) => a.localeCompare(b))
  const tag = by === 'tag' ? (asked.tag ?? names[0] ?? null) : null
  const scope = { span, by, shown, tag, tags: names }
  if (by === 'theme') return { ...scope, parts: await readThemeParts(tx, workspaceId) }
  if (by === 'none' || by === 'tag') {
    const own = tags.get(tag ?? '') ?? new Map<number, string>()
    const labels = new Map([...own.values()].map((value) => [value, value]))
    return { ...scope, parts: { keyOf: (number) => own.get(number) ?? null, labels } }
  }
  if (by === 'attribute') {
    const read = await readValuesOf(tx, workspaceId, asked.attribute ?? '')
    const known = new Map([...read].flatMap(([id, value]) => (value === null ? [] : [[String(id), value] as const])))
    const dimension = attributeDimension(workspaceId, [...known.keys()].map(Number))
    return { ...scope, parts: { dimension, names: known } }
  }
  return { ...scope, parts: { dimension: dimensionOf(workspaceId, by), names: null } }
}

/** What the mentions of a report by this are divided by. */
export function dimensionOf(workspaceId: string, by: 'kind' | 'source' | 'plan' | 'region' | 'revenue'): Dimension {
  if (by === 'kind') return kindDimension
  return by === 'source' ? sourceDimension(workspaceId) : segmentDimension(workspaceId, by)
}

/** Mentions by part of the report, in this span. */
export async function countParts(
  tx: Tx,
  workspaceId: string,
  { by, shown, parts }: Scope,
  span: ReportSpan,
): Promise<PartCount[]> {
  if ('dimension' in parts) {
    const counted = await countMentions(tx, workspaceId, span, groupsOf(shown), parts.dimension)
    const { names } = parts
    return names === null ? counted : counted.map((one) => ({ ...one, key: names.get(one.key ?? '') ?? null }))
  }
  if (by === 'none') return countMentions(tx, workspaceId, span, groupsOf(shown), allDimension)
  // The first group is that of insights without a key.
  const keys = [null, ...new Set(shown.flatMap((number) => parts.keyOf(number) ?? []))]
  const places = new Map(keys.map((key, place) => [key, place + 1]))
  const groups = groupsOf(shown, (number) => places.get(parts.keyOf(number)) ?? 1)
  const counted = await countGroups(tx, workspaceId, span, groups)
  return counted.map((one) => ({ ...one, key: keys[Number(one.key) - 1] ?? null }))
}

/** These insights in groups, by default in one. */
export function groupsOf(numbers: readonly number[], groupOf: (number: number) => number = () => 1): Groups {
  const groups = new Uint32Array(numbers.reduce((most, number) => Math.max(most, number), 0) + 1)
  for (const number of numbers) groups[number] = groupOf(number)
  return groups
}

/** The themes as parts. */
export async function readThemeParts(tx: Tx, workspaceId: string): Promise<InsightParts> {
  const themes = await readThemes(tx, workspaceId)
  const keys = new Map(
    themes.flatMap(({ id, issueNumbers }) => issueNumbers.map((number) => [number, String(id)] as const)),
  )
  return {
    keyOf: (number) => keys.get(number) ?? null,
    labels: new Map(themes.map(({ id, name }) => [String(id), name])),
  }
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
