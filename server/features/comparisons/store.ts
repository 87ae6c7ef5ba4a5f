import { GeneratorOptions } from '@groundswell/contract/comparisons.ts'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { Tx } from '../../platform/db/tenant.ts'

/** What one administrator has chosen so far. */
export type Selection = { dirName: string; generatorFilter: GeneratorOptions | null; sourceIds: string[] | null }

const Row = z.object({
  dir_name: z.string(),
  generator_filter: z.nullable(GeneratorOptions),
  source_ids: z.nullable(z.array(z.string())),
})

/** Null before a directory is chosen, or when what was stored no longer fits. */
export async function readSelection(tx: Tx, workspaceId: string, accountId: string): Promise<Selection | null> {
  const { rows } = await sql<Record<string, unknown>>`
    select dir_name, generator_filter, source_ids from comparison_selection
    where workspace_id = ${workspaceId} and account_id = ${accountId}`.execute(tx)
  const parsed = Row.safeParse(rows[0])
  if (!parsed.success) return null
  const { dir_name, generator_filter, source_ids } = parsed.data
  return { dirName: dir_name, generatorFilter: generator_filter, sourceIds: source_ids }
}

/** Replaces all that was chosen. */
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
