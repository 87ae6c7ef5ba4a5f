import type { Import } from '@groundswell/contract/feedback.ts'
import { inWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { findImport, type ImportRow } from './import-store.ts'

/** One import as the screen shows it; null when the workspace has none such. */
export async function readImport(
  services: Pick<Services, 'db'>,
  workspaceId: string,
  importId: string,
): Promise<Import | null> {
  const row = await inWorkspace(services.db, workspaceId, (tx) => findImport(tx, workspaceId, importId))
  return row ? viewImport(row) : null
}

/** An import as the screen shows it. What it added and no longer waits counts as grouped. */
export function viewImport(row: ImportRow): Import {
  return {
    id: row.id,
    name: row.name,
    state: row.state,
    added: row.added,
    known: row.known,
    bad: row.bad,
    bytes: row.bytes,
    bytes_read: row.bytesRead,
    grouped: Math.max(0, row.added - row.ungrouped),
    problems: row.problems,
    error: row.error,
    started_at: row.startedAt.toISOString(),
    finished_at: row.finishedAt?.toISOString() ?? null,
  }
}
