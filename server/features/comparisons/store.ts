import { GeneratorOptions } from '@groundswell/contract/evaluation/comparisons.ts'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { storedField, storedObject } from '../../platform/db/stored.ts'
import type { Tx } from '../../platform/db/tenant.ts'

/** What one administrator has chosen so far. */
export type Selection = { dirName: string; generatorFilter: GeneratorOptions | null; sourceIds: string[] | null }

/** Null before a directory is chosen. A part that no longer fits counts as not chosen, and the ones before it stay. */
export async function readSelection(tx: Tx, workspaceId: string, accountId: string): Promise<Selection | null> {
  const { rows } = await sql<{ dir_name: string; generator_filter: unknown; source_ids: unknown }>`
    select dir_name, generator_filter, source_ids from comparison_selection
    where workspace_id = ${workspaceId} and account_id = ${accountId}`.execute(tx)
  const row = rows[0]
  if (!row) return null
  return {
    dirName: row.dir_name,
    generatorFilter: storedFilter(row.generator_filter),
    sourceIds: storedField(z.array(z.string()), row.source_ids, null),
  }
}

/** A list that did not exist when the filter was stored does not filter. One that does not fit could mean anything. */
function storedFilter(stored: unknown): GeneratorOptions | null {
  if (stored === null) return null
  const lists = storedObject(stored)
  const missing = Object.keys(GeneratorOptions.shape).filter((name) => lists[name] === undefined)
  return storedField(GeneratorOptions, { ...Object.fromEntries(missing.map((name) => [name, []])), ...lists }, null)
}

/** Replaces everything that was chosen. */
export async function writeSelection(
  tx: Tx,
  workspaceId: string,
  accountId: string,
  { dirName, generatorFilter, sourceIds }: Selection,
): Promise<void> {
  const filter = generatorFilter === null ? null : JSON.stringify(generatorFilter)
  const sources = sourceIds === null ? null : JSON.stringify(sourceIds)
  await sql`
    insert into comparison_selection (workspace_id, account_id, dir_name, generator_filter, source_ids)
    values (${workspaceId}, ${accountId}, ${dirName}, ${filter}::jsonb, ${sources}::jsonb)
    on conflict (workspace_id, account_id) do update
      set dir_name = excluded.dir_name, generator_filter = excluded.generator_filter, source_ids = excluded.source_ids
  `.execute(tx)
}
