import type { AuditEntry } from '@groundswell/contract/audit.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'

/** Short facts about what was done; never a secret, never a customer's words. */
type AuditDetail = Readonly<Record<string, string | number | boolean | null>>

/**
 * What is written down. `workspaceId`: null for what belongs to no workspace, which only an operator sees; left out: the one
 * of the account. `actor`, `target`: who did it and to whom or what, in words, or as an SQL expression that finds the words; left
 * out: nobody known, and nothing in particular.
 */
export type AuditRecord = {
  at: Date
  action: string
  workspaceId?: string | null
  actorId: string | null
  accountId: string | null
  actor?: string | RawBuilder<string | null>
  target?: string | RawBuilder<string | null>
  detail?: AuditDetail
  address: string | null
  agent: string | null
}

/** `before` is an id: entries older than it. Times are inclusive. */
export type AuditFilter = { before?: number; action?: string; since?: Date; until?: Date; limit: number }

type Row = Omit<AuditEntry, 'id' | 'at'> & { id: number; at: Date }

/** Writes one entry, in whatever transaction: it stays or goes with what it tells of. */
export async function insertEvent(tx: Tx, entry: AuditRecord): Promise<void> {
  const { workspaceId, actorId, accountId, actor = null, target = null } = entry
  await sql`
    insert into audit_event (workspace_id, actor_id, account_id, actor, action, target, detail, address, user_agent, at)
    values (
      ${workspaceId === undefined && accountId !== null ? sql`home_workspace(${accountId})` : sql`${workspaceId ?? null}::uuid`},
      ${actorId}, ${accountId},
      coalesce(${actor}, ''),
      ${entry.action},
      ${target},
      ${JSON.stringify(entry.detail ?? {})}::jsonb, ${entry.address}, ${entry.agent}, ${entry.at})`.execute(tx)
}

/** Entries of the transaction's workspace, newest first; without a workspace, of none. */
export async function readEvents(tx: Tx, { before, action, since, until, limit }: AuditFilter): Promise<AuditEntry[]> {
  const { rows } = await sql<Row>`
    select id, at, action, actor, actor_id, account_id, target, detail, address, user_agent as agent from audit_event
    where (${before ?? null}::bigint is null or id < ${before ?? null}::bigint)
      and (${action ?? null}::text is null or action = ${action ?? null}::text)
      and (${since ?? null}::timestamptz is null or at >= ${since ?? null}::timestamptz)
      and (${until ?? null}::timestamptz is null or at <= ${until ?? null}::timestamptz)
    order by id desc limit ${limit}`.execute(tx)
  return rows.map(({ id, at, ...row }) => ({ id: String(id), at: at.toISOString(), ...row }))
}

/** What the transaction's workspace keeps of what one account did, or of what was done to it, oldest first. */
export async function eventsAbout(tx: Tx, accountId: string): Promise<unknown[]> {
  const { rows } = await sql`
    select at, action, target, detail, address, user_agent from audit_event
    where actor_id = ${accountId} or account_id = ${accountId} order by id`.execute(tx)
  return rows
}

/**
 * Removes what is older, everywhere, and says how much that was. Nothing else can remove an entry, and nothing change one. The
 * database refuses a time within the retention period (42501).
 */
export async function forgetEvents(tx: Tx, before: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`select forget_audit_events(${before}) as count`.execute(tx)
  return rows[0]?.count ?? 0
}

/** Every workspace there is. */
export async function workspaceIds(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select all_workspace_ids() as id order by 1`.execute(tx)
  return rows.map((row) => row.id)
}
