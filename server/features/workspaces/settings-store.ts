import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'

/** The settings of every workspace, as they are stored, to be joined: `join ${workspaceSettings} w on w.workspace_id = …`. */
export const workspaceSettings = sql`(select workspace_id, settings from workspace)`

/** The settings as they are stored. `lock`: no one else changes the workspace until the transaction ends. */
export async function readStoredSettings(
  tx: Tx,
  workspaceId: string,
  { lock = false }: { lock?: boolean } = {},
): Promise<unknown> {
  const { rows } = await sql<{ settings: unknown }>`
    select settings from workspace where workspace_id = ${workspaceId} ${lock ? sql`for update` : sql``}`.execute(tx)
  return rows[0]?.settings
}

/** Replaces all settings of a workspace. */
export async function writeStoredSettings(tx: Tx, workspaceId: string, settings: object): Promise<void> {
  await sql`
    update workspace set settings = ${JSON.stringify(settings)}::jsonb
    where workspace_id = ${workspaceId}`.execute(tx)
}
