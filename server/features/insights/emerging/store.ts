import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { connectionsView } from '../../connections/index.ts'
import { feedbackItemsView } from '../../feedback/index.ts'
import { type EvidenceRow, evidenceColumns, withText } from '../evidence-store.ts'
import { raiseRevision } from '../revision.ts'

/** An emerging insight that is shown: at least two messages say it, and nobody dismissed it. */
export type EmergingRow = {
  number: number
  name: string
  summary: string
  mentionCount: number
  peopleCount: number
  firstSeen: Date | null
  lastSeen: Date | null
}

const shown = sql`dismissed_at is null and not hidden`

/** The shown emerging insights, most mentions first. */
export async function readEmerging(tx: Tx, workspaceId: string, limit: number): Promise<EmergingRow[]> {
  const { rows } = await sql<EmergingRow>`
    select number, name, summary, mention_count as "mentionCount", people_count as "peopleCount", first_seen as "firstSeen",
      last_seen as "lastSeen"
    from emerging_insight where workspace_id = ${workspaceId} and ${shown}
    order by mention_count desc, last_seen desc, number desc limit ${limit}`.execute(tx)
  return rows
}

/** How many are shown. */
export async function countEmerging(tx: Tx, workspaceId: string): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from emerging_insight where workspace_id = ${workspaceId} and ${shown}`.execute(tx)
  return rows[0]?.total ?? 0
}

/** The newest `limit` mentions of each of these emerging insights, by its number, newest first. */
export async function readEmergingEvidence(
  tx: Tx,
  workspaceId: string,
  numbers: readonly number[],
  limit: number,
): Promise<Map<number, EvidenceRow[]>> {
  const { rows } = await sql<Omit<EvidenceRow, 'text'> & { emerging: number }>`
    select ${evidenceColumns}, s.emerging_number as emerging, left(item.text, s.end_offset) as message
    from unnest(${[...numbers]}::int[]) as wanted (number)
    cross join lateral (
      select * from statement
      where workspace_id = ${workspaceId} and emerging_number = wanted.number
      order by said_at desc, item_id desc, number desc limit ${limit}
    ) s
    join ${feedbackItemsView} item on item.workspace_id = ${workspaceId} and item.id = s.item_id
    join ${connectionsView} connection on connection.workspace_id = ${workspaceId} and connection.id = item.connection_id
    order by s.emerging_number, s.said_at desc, s.item_id desc, s.number desc`.execute(tx)
  const evidence = new Map<number, EvidenceRow[]>()
  for (const { emerging, ...row } of rows) evidence.set(emerging, [...(evidence.get(emerging) ?? []), withText(row)])
  return evidence
}

/** The ids of all mentions of a shown emerging insight; none if there is no such one. */
export async function readEmergingMentions(tx: Tx, workspaceId: string, number: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select item_id || ':' || number as id from statement s
    where workspace_id = ${workspaceId} and emerging_number = ${number} and exists (
      select from emerging_insight one where one.workspace_id = ${workspaceId} and one.number = ${number} and ${shown})
    order by item_id, number`.execute(tx)
  return rows.map((row) => row.id)
}

/** Dismisses a shown emerging insight, or with null restores a dismissed one. False when there is no such one. */
export async function markDismissed(
  tx: Tx,
  workspaceId: string,
  number: number,
  dismissedAt: Date | null,
): Promise<boolean> {
  await raiseRevision(tx, workspaceId)
  const { numAffectedRows } = await sql`
    update emerging_insight set dismissed_at = ${dismissedAt}::timestamptz
    where workspace_id = ${workspaceId} and number = ${number}
      and ${dismissedAt ? shown : sql`dismissed_at is not null`}`.execute(tx)
  return numAffectedRows === 1n
}
