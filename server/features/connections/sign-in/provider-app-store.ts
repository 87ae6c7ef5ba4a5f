import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'

/** The sealed credentials of a workspace's own app at a provider; null when it has none. */
export async function readSealedApp(tx: Tx, workspaceId: string, connector: string): Promise<string | null> {
  const { rows } = await sql<{ sealed: string | null }>`
    select sealed from provider_app where workspace_id = ${workspaceId} and connector = ${connector}`.execute(tx)
  return rows[0]?.sealed ?? null
}

/** Stores them, replacing earlier ones. */
export async function writeSealedApp(tx: Tx, workspaceId: string, connector: string, sealed: string): Promise<void> {
  await sql`
    insert into provider_app (workspace_id, connector, sealed) values (${workspaceId}, ${connector}, ${sealed})
    on conflict (workspace_id, connector) do update set sealed = excluded.sealed`.execute(tx)
}

/** The sealed credentials that every workspace has for this connector. Run without a workspace. */
export async function sealedAppsOf(tx: Tx, connector: string): Promise<{ workspaceId: string; sealed: string }[]> {
  const { rows } = await sql<{ workspaceId: string; sealed: string }>`
    select workspace_id as "workspaceId", sealed from provider_apps(${connector})`.execute(tx)
  return rows
}

/** Removes every app of a workspace. */
export async function deleteApps(tx: Tx, workspaceId: string): Promise<void> {
  await sql`delete from provider_app where workspace_id = ${workspaceId}`.execute(tx)
}
