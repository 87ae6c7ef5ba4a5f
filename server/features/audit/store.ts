import type { AuditEntry } from '@groundswell/contract/audit.ts'
import { withoutControls } from '@groundswell/contract/values/name.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'

/** Short facts about what was done; never a secret, never customer text. */
type AuditDetail = Readonly<Record<string, string | number | boolean | null>>

/**
 * An entry to write. `workspaceId`: null for what belongs to no workspace, which only an operator sees; left out: the one
 * of the account. `actor`, `target`: who did it and to what, as text or as an SQL expression for the text; left out: unknown actor,
 * no particular target.
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

/** Writes one entry, in the caller's transaction: it is committed or rolled back with the change. */
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

/** An entry whose texts have no control characters, as those of earlier versions may: no entry is ever changed. */
function shown<T extends object>(entry: T): T {
  return Object.fromEntries(
    Object.entries(entry).map(([name, value]) => {
      if (typeof value === 'string') return [name, withoutControls(value)]
      return [name, value?.constructor === Object ? shown(value) : value]
    }),
  ) as T
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
  return rows.map(({ id, at, ...row }) => ({ id: String(id), at: at.toISOString(), ...shown(row) }))
}

/** The audit events of the transaction's workspace that an account caused or that concern it, oldest first. */
export async function eventsAbout(tx: Tx, accountId: string): Promise<unknown[]> {
  const { rows } = await sql<Record<string, unknown>>`
    select at, action, target, detail, address, user_agent from audit_event
    where actor_id = ${accountId} or account_id = ${accountId} order by id`.execute(tx)
  return rows.map(shown)
}

/**
 * Deletes older entries in all workspaces and returns how many. Nothing else can delete an entry, and nothing can change one. The
 * database refuses a time within the retention period (42501).
 */
export async function forgetEvents(tx: Tx, before: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`select forget_audit_events(${before}) as count`.execute(tx)
  return rows[0]?.count ?? 0
}
