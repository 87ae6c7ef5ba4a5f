import { ContractError } from '@groundswell/contract/errors.ts'
import {
  type InsightDetail,
  type InsightEvent,
  MAX_HISTORY,
  type Timeline,
} from '@groundswell/contract/insights/insight-detail.ts'
import { memberNames } from '../../../auth/index.ts'
import { dayIn, dayOf } from '../../../platform/day.ts'
import type { Tx } from '../../../platform/db/tenant.ts'
import { daysOf } from '../../workspaces/index.ts'
import { readDailyChanges } from '../changes/member-changes.ts'
import { readCopies } from '../copies/copy-store.ts'
import { readLargestCustomers } from '../customers/list-store.ts'
import { MAX_RETURNED, readMergedIn, readReturnable } from '../grouping/stores/review-move-store.ts'
import { countKindsOf } from '../kinds/count-store.ts'
import { type InsightRow, readInsight } from '../store.ts'
import { readTags } from '../tagging/store.ts'
import { viewTag } from '../tagging/tags.ts'
import {
  type EventRow,
  readEvents,
  readIsNameGuessed,
  readOrigin,
  readPeople,
  readSources,
  readTimes,
  type TimelineUnit,
} from './store.ts'

const MAX_LISTED = 50
const MAX_CUSTOMERS = 10
const DAY_MS = 86_400_000
/** The timeline of an insight that has not been mentioned for this long ends with its last mention. */
const OLD_AFTER_DAYS = 12 * 7
/** A timeline has a bar per day up to this many, then per week, then per month. */
const MAX_DAYS = 31
const MAX_WEEKS = 53
/** A person who is no longer in the workspace. */
const FORMER_MEMBER = 'a former member'
/** Earlier months are left out. */
const MAX_BARS = 60

/** Everything that the panel of an insight shows beyond the list. Throws `not_found`, with what became of the insight if known. */
export async function describeInsight(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  now: Date,
): Promise<InsightDetail> {
  const insight = await readInsight(tx, workspaceId, issueNumber)
  const origin = await readOrigin(tx, workspaceId, issueNumber)
  if (!insight?.shown || !origin) throw notFound(issueNumber, origin)
  const named = await readPeople(tx, workspaceId, issueNumber, MAX_LISTED)
  const places = await readSources(tx, workspaceId, issueNumber, MAX_LISTED)
  const hasCopies = insight.text_count !== null && insight.text_count < insight.mention_count
  const copies = hasCopies ? await readCopies(tx, workspaceId, issueNumber) : []
  const moved = await readReturnable(tx, workspaceId, issueNumber, MAX_RETURNED)
  const merged = await readMergedIn(tx, workspaceId, issueNumber, MAX_RETURNED)
  const changes = await readDailyChanges(tx, workspaceId, issueNumber, MAX_HISTORY)
  const events = await withNames(tx, workspaceId, await readEvents(tx, workspaceId, issueNumber, MAX_HISTORY))
  const history = [
    { at: origin.createdAt, event: 'created' as const, detail: {} },
    ...lastRenameOfEachDay(events),
    ...changes.map((one) => ({ ...one, detail: {}, count: Math.abs(one.change.count) })),
  ]
  return {
    issue_number: issueNumber,
    people: named.people,
    sources: places.sources,
    totals: { people: named.total, unnamed: named.unnamed, sources: places.total },
    locked: insight.locked,
    name_set_by: insight.name_by_person ? 'person' : 'engine',
    ...((await readIsNameGuessed(tx, workspaceId, issueNumber)) ? { name_is_guess: true } : {}),
    timeline: await timelineOf(tx, workspaceId, insight, now),
    categories: (await readTags(tx, workspaceId, [issueNumber])).map(viewTag),
    ...(insight.customer_count === 0
      ? {}
      : {
          customers: {
            total: insight.customer_count,
            revenue: insight.revenue,
            largest: await readLargestCustomers(tx, workspaceId, issueNumber, MAX_CUSTOMERS),
          },
        }),
    kinds: await countKindsOf(tx, workspaceId, issueNumber),
    ...(copies.length === 0 ? {} : { copies }),
    ...(moved.length === 0 ? {} : { moved_by_review: moved }),
    ...(merged.length === 0
      ? {}
      : { merged_by_review: merged.map(({ issueNumber: issue_number, mentions }) => ({ issue_number, mentions })) }),
    ...(insight.team_status_at === null
      ? {}
      : { team_status_set: { by: insight.team_status_by, at: insight.team_status_at.toISOString() } }),
    history: history
      .sort((a, b) => b.at.getTime() - a.at.getTime() || Number(a.event === 'created') - Number(b.event === 'created'))
      .slice(0, MAX_HISTORY)
      .map(viewEvent),
  }
}

function notFound(issueNumber: number, origin: Awaited<ReturnType<typeof readOrigin>>): ContractError {
  if (origin?.deleted) return new ContractError('not_found', `Insight #${issueNumber} was deleted`)
  if (origin?.mergedInto) {
    return new ContractError('not_found', `Insight #${issueNumber} was merged into #${origin.mergedInto}`, {
      merged_into: String(origin.mergedInto),
    })
  }
  return new ContractError('not_found', `There is no insight #${issueNumber}`)
}

/** During a large import an insight is renamed many times: only the last name of each day is shown. */
function lastRenameOfEachDay(events: readonly EventRow[]): EventRow[] {
  const days = new Set<string>()
  return events.filter(({ event, at }) => {
    if (event !== 'renamed') return true
    const day = dayOf(at)
    if (days.has(day)) return false
    days.add(day)
    return true
  })
}

/** The same, where an assignment has accounts with the names of the people. */
async function withNames(tx: Tx, workspaceId: string, events: readonly EventRow[]): Promise<EventRow[]> {
  if (!events.some(({ event }) => event === 'assigned')) return [...events]
  const names = await memberNames(tx)
  const named = (id: unknown) => (typeof id === 'string' ? (names.get(id) ?? FORMER_MEMBER) : undefined)
  return events.map(({ detail, ...one }) => {
    if (one.event !== 'assigned') return { ...one, detail }
    const [from, to] = [named(detail.from), named(detail.to)]
    return { ...one, detail: { ...detail, ...(from ? { from } : {}), ...(to ? { to } : {}) } }
  })
}

function viewEvent({
  at,
  event,
  detail,
  change,
  count = detail.count,
}: EventRow & Pick<InsightEvent, 'count' | 'change'>): InsightEvent {
  const other = detail.into ?? detail.other ?? (typeof detail.from === 'number' ? detail.from : undefined)
  return {
    at: at.toISOString(),
    event,
    ...(typeof detail.from === 'string' ? { from: detail.from } : {}),
    ...(detail.to ? { to: detail.to } : {}),
    ...(detail.tag ? { tag: detail.tag } : {}),
    ...(other === undefined ? {} : { other }),
    ...(count === undefined ? {} : { count }),
    ...(detail.by === undefined ? {} : { by: detail.by }),
    ...(change === undefined ? {} : { change }),
  }
}

/** Ends now or, if the newest mention is older than a trend, with that mention. */
async function timelineOf(tx: Tx, workspaceId: string, insight: InsightRow, at: Date): Promise<Timeline> {
  const zone = await daysOf(tx, workspaceId)
  const today = midnightOf(at, zone)
  const last = insight.last_seen && midnightOf(insight.last_seen, insight.last_seen_date_only ? 'UTC' : zone)
  const now = last && today.getTime() - last.getTime() > OLD_AFTER_DAYS * DAY_MS ? last : today
  const first = insight.first_seen ? midnightOf(insight.first_seen, insight.first_seen_date_only ? 'UTC' : zone) : now
  const days = (now.getTime() - first.getTime()) / DAY_MS
  const unit: TimelineUnit = days <= MAX_DAYS ? 'day' : days <= MAX_WEEKS * 7 ? 'week' : 'month'
  const times = await readTimes(tx, workspaceId, insight.issue_number, unit, zone)
  const mentions = new Map(times.map(({ from, mentions: count }) => [from.getTime(), count]))
  const starts: Date[] = []
  for (let start = startOf(now, unit); starts.length < MAX_BARS; start = before(start, unit)) {
    starts.unshift(start)
    if (start <= first) break
  }
  return {
    unit,
    from: (starts[0] ?? now).toISOString(),
    counts: starts.map((start) => mentions.get(start.getTime()) ?? 0),
  }
}

/** The midnight in UTC of the day that it is in a zone. */
const midnightOf = (at: Date, zone: string) => new Date(dayIn(at, zone))

function startOf(time: Date, unit: TimelineUnit): Date {
  const [year, month, day] = [time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate()]
  if (unit === 'month') return new Date(Date.UTC(year, month, 1))
  return new Date(Date.UTC(year, month, unit === 'week' ? day - ((time.getUTCDay() + 6) % 7) : day))
}

function before(start: Date, unit: TimelineUnit): Date {
  if (unit === 'month') return new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() - 1, 1))
  return new Date(start.getTime() - (unit === 'week' ? 7 : 1) * DAY_MS)
}
