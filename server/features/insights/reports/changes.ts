import type { getReportChanges, MainShare } from '@groundswell/contract/reports.ts'
import type { ReplyOf } from '@groundswell/contract/route.ts'
import { dayOf } from '../../../platform/day.ts'
import type { Tx } from '../../../platform/db/tenant.ts'
import { readNames } from '../shown-store.ts'
import { changePoint, isClear, mainShare } from './change-point.ts'
import { countPart } from './part.ts'
import { divide } from './report.ts'
import {
  type Asked,
  countParts,
  DAY_MS,
  dimensionOf,
  groupsOf,
  readScope,
  readThemeParts,
  type Scope,
} from './scope.ts'
import { countGroups, countInsights, countOutside, countShares, type PartCount, readUnshown } from './store.ts'

const MAX_CHANGES = 3
/** The attributes whose values may explain most of a change. */
const SHARES = ['plan', 'region', 'source'] as const

/** What may have changed: a part of the report, or one insight. `numbers`: its insights; null: it is a set of mentions. */
type Item = {
  number: number | null
  key: string | null
  label: string | null
  total: number
  previous: number
  numbers: readonly number[] | null
}

/** What changed against the previous period, and what is not in the report. Throws as `readScope` does. */
export async function viewReportChanges(
  tx: Tx,
  workspaceId: string,
  asked: Asked,
): Promise<ReplyOf<typeof getReportChanges>> {
  const scope = await readScope(tx, workspaceId, asked)
  const items = await readItems(tx, workspaceId, scope)
  // Without any mentions before, everything would be new.
  const changed = items.some(({ previous }) => previous > 0)
    ? items
        .filter(isClear)
        .sort((a, b) => Math.abs(b.total - b.previous) - Math.abs(a.total - a.previous))
        .slice(0, MAX_CHANGES)
    : []
  const numbers = changed.flatMap(({ number }) => number ?? [])
  const names = await readNames(tx, workspaceId, numbers)
  const since = changed.length > 0 ? await readSince(tx, workspaceId, scope, changed) : []
  const segments = await mainSegments(tx, workspaceId, scope, changed)
  const changes = []
  for (const [place, { number, key, label, total, previous, ...item }] of changed.entries()) {
    changes.push({
      issue_number: number,
      key,
      label: number === null ? label : (names.get(number) ?? `#${number}`),
      total,
      previous,
      since: since[place] ?? null,
      mostly: item.numbers === null ? await mainInsights(tx, workspaceId, scope, key) : (segments[place] ?? null),
    })
  }
  return { changes, excluded: await readExcluded(tx, workspaceId, scope) }
}

async function readItems(tx: Tx, workspaceId: string, scope: Scope): Promise<Item[]> {
  const { span, shown, parts, by } = scope
  if ('dimension' in parts) {
    const whole = { ...span, unit: 'month' as const }
    const counts = await countParts(tx, workspaceId, scope, whole)
    const starts = [...new Set(counts.flatMap(({ start }) => start ?? []))]
    return divide(scope, counts, starts)
      .filter(({ key }) => key !== null)
      .map(({ key, total, previous }) => ({ number: null, key, label: null, total, previous, numbers: null }))
  }
  const counted = await countInsights(tx, workspaceId, span, groupsOf(shown))
  const byPart = Map.groupBy(counted, ({ number }) => parts.keyOf(number))
  const alone = by === 'tag' ? [] : (byPart.get(null) ?? [])
  byPart.delete(null)
  return [
    ...[...byPart].map(([key, own]) => ({
      number: null,
      key,
      label: key === null ? null : (parts.labels.get(key) ?? key),
      total: own.reduce((sum, { total }) => sum + total, 0),
      previous: own.reduce((sum, { previous }) => sum + previous, 0),
      numbers: own.map(({ number }) => number),
    })),
    ...alone.map(({ number, total, previous }) => ({
      number,
      key: null,
      label: null,
      total,
      previous,
      numbers: [number],
    })),
  ]
}

/** The day of the span from which each item has more or fewer mentions; null: from before it, or from its first day. */
async function readSince(
  tx: Tx,
  workspaceId: string,
  scope: Scope,
  items: readonly Item[],
): Promise<(string | null)[]> {
  const { span } = scope
  const byDay = { ...span, from: span.previousFrom, unit: 'day' as const }
  let counts: PartCount[]
  if ('dimension' in scope.parts) counts = await countParts(tx, workspaceId, scope, byDay)
  else {
    const places = new Map(
      items.flatMap(({ numbers }, place) => (numbers ?? []).map((number) => [number, place + 1] as const)),
    )
    const groups = groupsOf([...places.keys()], (number) => places.get(number) ?? 0)
    counts = await countGroups(tx, workspaceId, byDay, groups)
  }
  const length = (Date.parse(span.to) - Date.parse(span.previousFrom)) / DAY_MS + 1
  return items.map(({ key, numbers, total, previous }, place) => {
    const own = numbers === null ? key : String(place + 1)
    const mentions = new Map(counts.filter((one) => one.key === own).map((one) => [one.start, one.mentions] as const))
    const dayAt = (index: number) => dayOf(new Date(Date.parse(span.previousFrom) + index * DAY_MS))
    const days = Array.from({ length }, (_, index) => mentions.get(dayAt(index)) ?? 0)
    const found = changePoint(days, total > previous)
    return found !== null && dayAt(found) > span.from ? dayAt(found) : null
  })
}

/** The customer segment or the source that the change of each item is mostly of; null for items that are sets of mentions. */
async function mainSegments(
  tx: Tx,
  workspaceId: string,
  { span }: Scope,
  items: readonly Item[],
): Promise<(MainShare | null)[]> {
  const found = new Map<number, MainShare>()
  for (const by of SHARES) {
    const places = new Map(
      items.flatMap(({ numbers }, place) =>
        found.has(place) ? [] : (numbers ?? []).map((number) => [number, place + 1] as const),
      ),
    )
    if (places.size === 0) break
    const groups = groupsOf([...places.keys()], (number) => places.get(number) ?? 0)
    const counts = await countShares(tx, workspaceId, span, groups, dimensionOf(workspaceId, by))
    for (const [group, own] of Map.groupBy(counts, (one) => one.group)) {
      const values = [...Map.groupBy(own, ({ key }) => key)].map(([key, some]) => ({
        key,
        total: some.reduce((sum, { total }) => sum + total, 0),
        previous: some.reduce((sum, { previous }) => sum + previous, 0),
      }))
      const key = mainShare(values)?.key ?? null
      if (key !== null) found.set(group - 1, { by, key, label: null })
    }
  }
  return items.map((_, place) => found.get(place) ?? null)
}

/** The theme, or the insight, that a change of mentions is mostly of. */
async function mainInsights(tx: Tx, workspaceId: string, scope: Scope, key: string | null): Promise<MainShare | null> {
  const counts = await countPart(tx, workspaceId, scope, key)
  const themes = await readThemeParts(tx, workspaceId)
  const byTheme = [...Map.groupBy(counts, ({ number }) => themes.keyOf(number))].map(([theme, own]) => ({
    key: theme,
    total: own.reduce((sum, { total }) => sum + total, 0),
    previous: own.reduce((sum, { previous }) => sum + previous, 0),
  }))
  const theme = mainShare(byTheme)?.key ?? null
  if (theme !== null) return { by: 'theme', key: theme, label: themes.labels.get(theme) ?? null }
  const insight = mainShare(counts.map((one) => ({ ...one, key: String(one.number) })))
  if (insight === null) return null
  const names = await readNames(tx, workspaceId, [insight.number])
  return { by: 'insight', key: insight.key, label: names.get(insight.number) ?? null }
}

async function readExcluded(tx: Tx, workspaceId: string, { span }: Scope) {
  const outside = await countOutside(tx, workspaceId, span)
  const unshown = await readUnshown(tx, workspaceId)
  const deleted = new Set(unshown.flatMap(({ number, deleted }) => (deleted ? [number] : [])))
  const counted = await countInsights(tx, workspaceId, span, groupsOf(unshown.map(({ number }) => number)))
  const sum = (wanted: boolean) =>
    counted.reduce((all, { number, total }) => all + (deleted.has(number) === wanted ? total : 0), 0)
  return {
    // An insight with too few mentions is shown as none.
    ungrouped: outside.ungrouped + sum(false),
    emerging: outside.emerging,
    small_talk: outside.smallTalk,
    deleted: sum(true),
  }
}
