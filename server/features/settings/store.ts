import { MIN_INPUTS, Settings } from '@groundswell/contract/settings.ts'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'

const initial: Settings = { method: 'auto', min_inputs: MIN_INPUTS.default, categories: [] }

/** The settings of a workspace. A stored value that no longer fits the contract counts as its default. */
export async function readSettings(tx: Tx, workspaceId: string): Promise<Settings> {
  const { rows } = await sql<{ settings: unknown }>`
    select settings from workspace where workspace_id = ${workspaceId}`.execute(tx)
  const parsed = Settings.safeParse(rows[0]?.settings)
  return parsed.success ? parsed.data : initial
}

/** Replaces the settings and returns the ones before, under a lock that ends with the transaction. */
export async function replaceSettings(tx: Tx, workspaceId: string, settings: Settings): Promise<Settings> {
  await sql`select 1 from workspace where workspace_id = ${workspaceId} for update`.execute(tx)
  const before = await readSettings(tx, workspaceId)
  await sql`
    update workspace set settings = ${JSON.stringify(settings)}::jsonb
    where workspace_id = ${workspaceId}`.execute(tx)
  return before
}
