import type { listChanges } from '@groundswell/contract/insights/visits.ts'
import type { ReplyOf } from '@groundswell/contract/route.ts'
import type { Tx } from '../../../platform/db/tenant.ts'
import { type Change, grew, readChanges } from '../changes/member-changes.ts'
import { countBefore, readNew, readQuiet, readStatusChanges } from './change-store.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const LONGEST_MS = 31 * DAY_MS

const GROWING_FROM = 3
const GROWING_TIMES = 4 / 3
const QUIET_DAYS = 14
/** How many weeks with a mention each come before the quiet ones. */
const STEADY_WEEKS = 4

/** A time as far back as changes are listed, and the hour in which they are: the list changes with the hour, not with the second. */
export type Span = { since: Date; hour: number }

/** The span of a request. Deterministic within an hour, so that every process gives the same reply the same version. */
export function spanOf(since: Date, now: Date): Span {
  const hour = Math.floor(now.getTime() / HOUR_MS)
  return { since: new Date(Math.max(since.getTime(), hour * HOUR_MS - LONGEST_MS)), hour }
}

/** A span as text, and back. */
export const spanText = ({ since, hour }: Span): string => `${since.getTime()}-${hour}`

/** Reads what `spanText` wrote. */
export function spanFrom(text: string): Span {
  const [since = 0, hour = 0] = text.split('-').map(Number)
  return { since: new Date(since), hour }
}

/** What changed in a span: see `listChanges` for what the groups mean. */
export async function viewChanges(
  tx: Tx,
  workspaceId: string,
  { since, hour }: Span,
): Promise<ReplyOf<typeof listChanges>> {
  const members = await readChanges(tx, workspaceId, since)
  const changed = await readStatusChanges(tx, workspaceId, since)
  const withStatus = (status: 'resolved' | 'regressed') =>
    changed.filter((one) => one.status === status).map((one) => one.issueNumber)
  const startOfDay = (time: number) => new Date(Math.floor(time / DAY_MS) * DAY_MS)
  return {
    since: since.toISOString(),
    added: members
      .filter(({ change }) => change.new > 0)
      .map((one) => ({ issue_number: one.issueNumber, count: one.change.new })),
    changed: members.map(({ issueNumber, change }) => ({ issue_number: issueNumber, ...change })),
    new: await readNew(tx, workspaceId, since),
    growing: await findGrowing(tx, workspaceId, { since, hour }, members),
    quiet: await readQuiet(tx, workspaceId, {
      since,
      from: startOfDay(since.getTime()),
      until: startOfDay(hour * HOUR_MS),
      days: QUIET_DAYS,
      weeks: STEADY_WEEKS,
    }),
    regressed: withStatus('regressed'),
    resolved: withStatus('resolved'),
  }
}

/**
 * The insights that grow: they have more mentions than at `since`, at least 3 arrived after it, and at least a third more than were made in as long a time before it. By
 * when the earlier ones were made, not by when they arrived: otherwise nothing would grow on the day after a first import.
 */
async function findGrowing(
  tx: Tx,
  workspaceId: string,
  { since, hour }: Span,
  members: readonly Change[],
): Promise<number[]> {
  const many = members.filter(({ isNew, change }) => !isNew && change.new >= GROWING_FROM && grew(change))
  if (many.length === 0) return []
  const from = new Date(2 * since.getTime() - (hour + 1) * HOUR_MS)
  const numbers = many.map((one) => one.issueNumber)
  const before = await countBefore(tx, workspaceId, numbers, { since, from })
  return many
    .filter((one) => one.change.new >= GROWING_TIMES * (before.get(one.issueNumber) ?? 0))
    .map((one) => one.issueNumber)
}
