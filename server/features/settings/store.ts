import type { Settings } from '@groundswell/contract/settings.ts'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'
import { readStoredSettings, workspaceSettings, writeStoredSettings } from '../workspaces/index.ts'
import { mergedSettings, settingsOf } from './stored-settings.ts'

/** The settings of a workspace. Each stored value that no longer fits the contract is replaced by its default, independently of the others. */
export async function readSettings(tx: Tx, workspaceId: string): Promise<Settings> {
  return settingsOf(await readStoredSettings(tx, workspaceId))
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
  const stored = await readStoredSettings(tx, workspaceId, { lock: true })
  const merged = mergedSettings(stored, settings)
  await writeStoredSettings(tx, workspaceId, merged)
  return { before: settingsOf(stored), after: settingsOf(merged) }
}

/** The tags of a workspace's settings, to be joined: rows of `name` and `position`, 1 for the first. */
export function tagsInSettings(workspaceId: string) {
  return sql`(
    select stored.tag ->> 'name' as name, stored.position from ${workspaceSettings} w
    cross join jsonb_array_elements(
      case when jsonb_typeof(w.settings -> 'categories') = 'array' then w.settings -> 'categories' else '[]' end
    ) with ordinality as stored (tag, position)
    where w.workspace_id = ${workspaceId})`
}
