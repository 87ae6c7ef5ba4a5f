import type { Tx } from '../../platform/db/tenant.ts'
import { endOf, weekOf } from './list/insight-list.ts'
import type { InsightRow } from './store.ts'
import { readWeeks } from './weeks-store.ts'

const WEEKS = 12

/**
 * Mentions of one insight in 12 weeks, oldest first, and when they end: now, or where all mentions are older, with the week of the newest one, as
 * in the list.
 */
export async function readTrend(
  tx: Tx,
  workspaceId: string,
  { issue_number: issueNumber, last_seen: lastSeen }: Pick<InsightRow, 'issue_number' | 'last_seen'>,
  now: Date,
): Promise<{ until: Date; weeks: number[] }> {
  const isOld = lastSeen !== null && lastSeen < endOf(weekOf(now) - WEEKS)
  const until = isOld ? endOf(weekOf(lastSeen)) : endOf(weekOf(now))
  const weeks = Array.from({ length: WEEKS }, () => 0)
  for (const { weeksAgo, mentions } of await readWeeks(tx, workspaceId, [{ issueNumber, until }], WEEKS)) {
    weeks[WEEKS - 1 - weeksAgo] = mentions
  }
  return { until: isOld ? until : now, weeks }
}
