import type { Import } from '@groundswell/contract/feedback.ts'
import { inWorkspace, type Tx } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { countGrouped, findImport, type ImportRow } from './import-store.ts'

/** One import as the screen shows it; null when the workspace has none such. */
export function readImport(
  services: Pick<Services, 'db'>,
  workspaceId: string,
  importId: string,
): Promise<Import | null> {
  return inWorkspace(services.db, workspaceId, async (tx) => {
    const row = await findImport(tx, workspaceId, importId)
    return row ? viewImport(tx, workspaceId, row) : null
  })
}

/** An import as the screen shows it, with how many of its items are grouped by now. */
export async function viewImport(tx: Tx, workspaceId: string, row: ImportRow): Promise<Import> {
  return {
    id: row.id,
    name: row.name,
    state: row.state,
    added: row.added,
    known: row.known,
    bad: row.bad,
    bytes: row.bytes,
    bytes_read: row.bytesRead,
    grouped: await countGrouped(tx, workspaceId, row),
    problems: row.problems,
    error: row.error,
    started_at: row.startedAt.toISOString(),
    finished_at: row.finishedAt?.toISOString() ?? null,
  }
}
