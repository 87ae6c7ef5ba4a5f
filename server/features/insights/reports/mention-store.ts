import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { dayOf } from '../../../platform/day.ts'
import type { Tx } from '../../../platform/db/tenant.ts'
import { type DayRow, type Due, readDayRows } from './day-store.ts'
import type { Dimension } from './dimension-store.ts'
import type { ReportSpan } from './span-store.ts'

const DAY_MS = 86_400_000
const DAY_MINUTES = 1_440
/** The minute of a mention with a day but no time. */
const DATE_ONLY = DAY_MINUTES
/** How many mentions are read before other requests get a turn. */
const COUNTED_AT_ONCE = 100_000
/** The attribute dimension, by which mentions are also filtered. */
const ATTRIBUTE = 'attribute'

/** Mentions of a group of insights, with a key of a dimension, in a period; `period`: its place, as `periodOf` numbers them. */
export type Cell = { group: number; key: string | null; period: number; mentions: number }

/** What mentions are counted by. */
export type Tally = {
  /** The group of each insight by its number; 0: it is not counted. */
  groups: Uint32Array
  /** How many periods there are, and the one of a day of the span. */
  periods: number
  periodOf: (day: string) => number
  /** Also by its keys; `key`: only the mentions with this one. */
  dimension?: Dimension | undefined
  key?: string | null | undefined
}

/**
 * Counts the stored mentions of a span: in any time zone, filtered or not. They are counted here and not in SQL, since a row for each mention costs PostgreSQL more than all
 * the rest. `due`: what `readDue` says, not many.
 */
export async function tallyMentions(
  tx: Tx,
  workspaceId: string,
  span: ReportSpan,
  due: Due,
  { groups, periods, periodOf, dimension, key }: Tally,
): Promise<Cell[]> {
  const isUtc = span.zone === 'UTC'
  const [first, last] = isUtc ? [span.previousFrom, span.to] : [dayAfter(span.previousFrom, -1), dayAfter(span.to, 1)]
  const rows = await readDayRows(tx, workspaceId, {
    first,
    last,
    due,
    minutes: !isUtc,
    parts: partsOf(span, dimension, key),
  })
  const offsets = isUtc ? null : await readOffsets(tx, span.zone, first, last)
  const keys: (string | null)[] = [null]
  const keyPlaces = new Map<string, number>()
  const groupCount = groups.reduce((most, group) => Math.max(most, group), 0) + 1
  const cells = new Map<number, Uint32Array>()
  let counted = 0
  const days = Map.groupBy(rows, ({ day }) => day)
  for (const [day, own] of days) {
    const insights = own.find((row) => row.dimension === 'all')?.insights
    if (!insights) continue
    const size = insights.length / 4
    counted += size
    if (counted > COUNTED_AT_ONCE) {
      counted = 0
      await setImmediate()
    }
    const isLeftOut = filtered(own, size, span.values)
    const keyOf = keysOf(own, size, dimension, (text) => {
      const place = keyPlaces.get(text) ?? keys.push(text) - 1
      keyPlaces.set(text, place)
      return place
    })
    const wanted = key === undefined ? null : key === null ? 0 : (keyPlaces.get(key) ?? -1)
    const minutes = own.find((row) => row.dimension === 'all')?.minutes ?? null
    const shifts = offsets === null ? null : shiftsOf(offsets.get(day) ?? [0])
    const periodsOf = [-1, 0, 1].map((shift) => {
      const other = dayAfter(day, shift)
      return other < span.previousFrom || other > span.to ? -1 : periodOf(other)
    }) as [number, number, number]
    for (let place = 0; place < size; place += 1) {
      const group = groups[insights.readInt32BE(place * 4)] ?? 0
      if (group === 0 || isLeftOut?.[place] === 1) continue
      const ownKey = keyOf?.[place] ?? 0
      if (wanted !== null && ownKey !== wanted) continue
      const shift = shifts === null || minutes === null ? 0 : (shifts[minutes.readInt16BE(place * 2)] as number)
      const period = periodsOf[(shift + 1) as 0 | 1 | 2]
      if (period === -1) continue
      let ofKey = cells.get(ownKey)
      if (!ofKey) {
        ofKey = new Uint32Array(groupCount * periods)
        cells.set(ownKey, ofKey)
      }
      const cell = group * periods + period
      ofKey[cell] = (ofKey[cell] as number) + 1
    }
  }
  return [...cells].flatMap(([ownKey, counted]) => {
    const found: Cell[] = []
    counted.forEach((mentions, cell) => {
      if (mentions > 0)
        found.push({ group: Math.floor(cell / periods), key: keys[ownKey] ?? null, period: cell % periods, mentions })
    })
    return found
  })
}

/** Which parts of the days are read. */
function partsOf({ values }: ReportSpan, dimension: Dimension | undefined, key: string | null | undefined) {
  const parts: { name: string; keys: string[] | null }[] = []
  const filter = values.flat().map(String)
  const isOne = typeof key === 'string'
  if (dimension !== undefined && dimension.name !== 'all') {
    const own = isOne ? [key] : (dimension.values?.map(String) ?? null)
    if (dimension.name === ATTRIBUTE) filter.push(...(own ?? []))
    else parts.push({ name: dimension.name, keys: own })
  }
  if (filter.length > 0) parts.push({ name: ATTRIBUTE, keys: [...new Set(filter)] })
  return parts
}

/** By place whether a mention has not one of each set of values; null: all have. */
function filtered(own: readonly DayRow[], size: number, sets: ReportSpan['values']): Uint8Array | null {
  if (sets.length === 0) return null
  const met = new Uint8Array(size)
  for (const [at, values] of sets.entries()) {
    const wanted = new Set(values.map(String))
    for (const { dimension, key, places } of own) {
      if (dimension !== ATTRIBUTE || !wanted.has(key) || !places) continue
      for (let byte = 0; byte < places.length; byte += 4) {
        const place = places.readInt32BE(byte)
        if (met[place] === at) met[place] = at + 1
      }
    }
  }
  return met.map((count) => (count === sets.length ? 0 : 1))
}

/** By place the key of a dimension, as `numberOf` numbers them, 0: not known; null: there are no keys. */
function keysOf(
  own: readonly DayRow[],
  size: number,
  dimension: Dimension | undefined,
  numberOf: (key: string) => number,
): Uint32Array | null {
  if (dimension === undefined || dimension.name === 'all') return null
  const keys = new Uint32Array(size)
  const wanted = dimension.values ? new Set(dimension.values.map(String)) : null
  for (const row of own) {
    if (row.dimension !== dimension.name || row.key === '' || !row.places || wanted?.has(row.key) === false) continue
    const number = numberOf(row.key)
    for (let byte = 0; byte < row.places.length; byte += 4) keys[row.places.readInt32BE(byte)] = number
  }
  return keys
}

/**
 * How many seconds a zone is ahead of UTC, by UTC day: one number, or one for each minute of a day on which it changes. By the database, whose zones are those of all other
 * counts.
 */
async function readOffsets(tx: Tx, zone: string, first: string, last: string): Promise<Map<string, number[]>> {
  const offset = (at: ReturnType<typeof sql>) =>
    sql`extract(epoch from (${at} at time zone 'UTC') at time zone ${zone}::text - ${at})::int`
  const { rows } = await sql<{ day: string; offsets: number[] }>`
    select to_char(day, 'YYYY-MM-DD') as day,
      case when first = next then array[first]
        else array(select ${offset(sql`(day + minute * interval '1 minute')`)} from generate_series(0, ${DAY_MINUTES - 1}) minute order by minute) end as offsets
    from (
      select day, ${offset(sql`day`)} as first, ${offset(sql`(day + interval '1 day')`)} as next
      from generate_series(${first}::date::timestamp, ${last}::date::timestamp, interval '1 day') day
    ) known`.execute(tx)
  return new Map(rows.map(({ day, offsets }) => [day, offsets]))
}

/** By minute of a UTC day, how many days later it is in the zone: -1, 0 or 1. Where only the day is known, it is that one. */
function shiftsOf(offsets: readonly number[]): Int8Array {
  const shifts = Int8Array.from({ length: DAY_MINUTES }, (_, minute) =>
    Math.floor((minute * 60 + (offsets[minute] ?? offsets[0] ?? 0)) / (DAY_MINUTES * 60)),
  )
  const all = new Int8Array(DATE_ONLY + 1)
  all.set(shifts)
  return all
}

/** The day that is a number of days after another. */
export const dayAfter = (day: string, days: number): string => dayOf(new Date(Date.parse(day) + days * DAY_MS))
