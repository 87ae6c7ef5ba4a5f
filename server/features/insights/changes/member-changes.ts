import type { InsightEvent } from '@groundswell/contract/insights/insight-detail.ts'
import type { MemberChange } from '@groundswell/contract/values/member-change.ts'
import type { Tx } from '../../../platform/db/tenant.ts'
import { type Moved, readArrivals, readMemberCounts, readMoved, readMovedMessages } from './change-store.ts'

/** How the members of an insight changed since a time. */
export type Change = { issueNumber: number; isNew: boolean; change: MemberChange }

/** How many messages of one day are named, and of how many days. */
const NAMED = 5
const NAMED_DAYS = 20

/**
 * How the members of the shown insights changed since a time, of those in which anything did; those with the most new mentions first. The only account of
 * it: the list, the strip, an import's result, digests, agents and the history all tell this.
 */
export async function readChanges(tx: Tx, workspaceId: string, since: Date): Promise<Change[]> {
  const rows = await readMemberCounts(tx, workspaceId, since)
  return rows.map(({ issueNumber, isNew, arrived, came, left }) => ({
    issueNumber,
    isNew,
    change: { count: arrived + came - left, new: arrived, came, left },
  }))
}

/** An insight grew when it has more mentions than before. */
export const grew = ({ count }: Pick<MemberChange, 'count'>): boolean => count > 0

/** What changed in an insight on each UTC day, newest first. Their sum is its current content. */
export async function readDailyChanges(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  limit: number,
): Promise<{ at: Date; event: InsightEvent['event']; change: NonNullable<InsightEvent['change']> }[]> {
  const arrivals = await readArrivals(tx, workspaceId, issueNumber)
  const moved = Map.groupBy(await readMoved(tx, workspaceId, issueNumber), ({ day }) => day.getTime())
  const arrived = new Map(arrivals.map((one) => [one.day.getTime(), one]))
  const days = [...new Set([...arrived.keys(), ...moved.keys()])].sort((a, b) => b - a).slice(0, limit)
  const named = new Map(
    days
      .filter((day) => moved.has(day))
      .slice(0, NAMED_DAYS)
      .map((day) => [day, (moved.get(day) ?? []).slice(0, NAMED)]),
  )
  const ids = [...named.values()].flat().map(({ itemId }) => itemId)
  const messages = ids.length === 0 ? new Map() : await readMovedMessages(tx, workspaceId, ids)
  return days.map((day) => {
    const { at, mentions: fresh } = arrived.get(day) ?? { at: new Date(day), mentions: 0 }
    const moves = moved.get(day) ?? []
    const came = byCause(moves.filter(({ mentions }) => mentions > 0))
    const left = byCause(moves.filter(({ mentions }) => mentions < 0))
    const count = fresh + moves.reduce((sum, one) => sum + one.mentions, 0)
    const texts = (named.get(day) ?? []).flatMap(({ itemId, mentions }) => {
      const message = messages.get(itemId)
      if (!message) return []
      const other = message.issueNumber === issueNumber ? null : message.issueNumber
      return [{ text: message.text, left: mentions < 0, other }]
    })
    return {
      at: new Date(Math.max(at.getTime(), ...moves.map((one) => one.at.getTime()))),
      event: count > 0 ? 'grew' : count < 0 ? 'shrank' : 'exchanged',
      change: { count, new: fresh, came, left, messages: texts },
    }
  })
}

function byCause(moves: readonly Moved[]): { cause: Moved['cause']; count: number }[] {
  return [...Map.groupBy(moves, ({ cause }) => cause)].map(([cause, own]) => ({
    cause,
    count: own.reduce((sum, one) => sum + Math.abs(one.mentions), 0),
  }))
}
