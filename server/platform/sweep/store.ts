import { sql } from 'kysely'
import type pg from 'pg'
import type { Tx } from '../db/tenant.ts'

/** Queries, in a transaction without a workspace, which workspaces have something to do. */
export type DueQuery = (tx: Tx) => Promise<string[]>

/** A state of a workspace: its revision, and the version of its groups. */
export type Position = { revision: number; groupVersion: number }

const ALL = 'select all_workspace_ids() as id order by 1'

type Id = { id: string }

/** Every workspace, in the order of their ids. */
export const allWorkspaces: DueQuery = async (tx) => {
  const { rows } = await sql.raw<Id>(ALL).execute(tx)
  return rows.map(({ id }) => id)
}

/** The same over a connection without the query builder, as backup and checks use it. */
export async function allWorkspacesOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<Id>(ALL)
  return rows.map(({ id }) => id)
}

/**
 * A sweep. `rules`: what it decides by besides the rows of a workspace; with other rules it checks every workspace again. `changed`: which
 * workspaces changed since it found nothing to do in them, if there is never work in most; otherwise `changedWorkspaces`.
 */
export type Sweep = { name: string; rules?: string; changed?: DueQuery }

/** Workspaces that changed since this sweep found nothing to do in them, or whose time for the next check has come. */
export function changedWorkspaces({ name, rules = '' }: Sweep, now: Date): DueQuery {
  return async (tx) => {
    const { rows } = await sql<Id>`
      select workspaces_changed_since_sweep(${name}, ${rules}, ${now}) as id`.execute(tx)
    return rows.map(({ id }) => id)
  }
}

/** The state of a workspace. Later changes differ from it. */
export async function readPosition(tx: Tx, workspaceId: string): Promise<Position> {
  const { rows } = await sql<Position>`
    select revision, group_version as "groupVersion" from workspace_position(${workspaceId})`.execute(tx)
  return rows[0] ?? { revision: 0, groupVersion: 0 }
}

/** Records that a sweep found nothing to do in a workspace at this state, and when it checks again although nothing changed. */
export async function markSwept(
  tx: Tx,
  workspaceId: string,
  { name, rules = '' }: Sweep,
  { revision, groupVersion }: Position,
  againAt: Date,
): Promise<void> {
  await sql`
    insert into sweep_mark (workspace_id, sweep, revision, group_version, rules, again_at)
    select ${workspaceId}::uuid, ${name}::text, ${revision}::bigint, ${groupVersion}::bigint, ${rules}::text, ${againAt}::timestamptz
    from workspace_position(${workspaceId})
    on conflict (workspace_id, sweep) do update
    set revision = excluded.revision, group_version = excluded.group_version, rules = excluded.rules, again_at = excluded.again_at`.execute(
    tx,
  )
}
