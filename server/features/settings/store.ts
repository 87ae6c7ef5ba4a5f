import type { Settings } from '@groundswell/contract/settings.ts'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'
import { mergedSettings, settingsOf } from './stored-settings.ts'

/** The settings of a workspace. Each stored value that no longer fits the contract is replaced by its default, independently of the others. */
export async function readSettings(tx: Tx, workspaceId: string): Promise<Settings> {
  return settingsOf(await readStored(tx, workspaceId))
}

/**
 * Saves settings over those that are stored, under a lock that ends with the transaction, and returns the settings before
 * and after. What the contract does not know stays stored.
 */
export async function saveSettings(
  tx: Tx,
  workspaceId: string,
  settings: Settings,
): Promise<{ before: Settings; after: Settings }> {
  await sql`select 1 from workspace where workspace_id = ${workspaceId} for update`.execute(tx)
  const stored = await readStored(tx, workspaceId)
  const merged = mergedSettings(stored, settings)
  await sql`
    update workspace set settings = ${JSON.stringify(merged)}::jsonb
    where workspace_id = ${workspaceId}`.execute(tx)
  return { before: settingsOf(stored), after: settingsOf(merged) }
}

async function readStored(tx: Tx, workspaceId: string): Promise<unknown> {
  const { rows } = await sql<{ settings: unknown }>`
    select settings from workspace where workspace_id = ${workspaceId}`.execute(tx)
  return rows[0]?.settings
}
