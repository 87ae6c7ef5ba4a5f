import type { Import } from '@groundswell/contract/feedback.ts'
import { inWorkspace } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import { findImport, type ImportRow } from './import-store.ts'

/** One import as the screen shows it; null when the workspace has no such import. */
export async function readImport(
  services: Pick<Services, 'db'>,
  workspaceId: string,
  importId: string,
): Promise<Import | null> {
  const row = await inWorkspace(services.db, workspaceId, (tx) => findImport(tx, workspaceId, importId))
  return row ? viewImport(row) : null
}

/** An import as the screen shows it. Items that it added or changed count as grouped once they no longer wait. */
export function viewImport(row: ImportRow): Import {
  return {
    id: row.id,
    name: row.name,
    source:
      row.connectionId === null || row.sourceName === null ? null : { id: row.connectionId, name: row.sourceName },
    state: row.state,
    added: row.added,
    replaced: row.replaced,
    known: row.known,
    repeated: row.repeated,
    bad: row.bad,
    context: row.context,
    context_left_out: row.contextLeftOut,
    undated: row.undated,
    own_by: row.context > 0 ? (row.ownSide?.by ?? null) : null,
    own_people: row.ownPeople,
    bytes: row.bytes,
    bytes_read: row.bytesRead,
    grouped: Math.max(0, row.added + row.replaced - row.ungrouped),
    restorable: row.restorable,
    asks: row.state === 'asking' ? row.asks : null,
    problems: row.problems,
    repeats: row.repeats,
    error: row.error,
    started_at: row.startedAt.toISOString(),
    finished_at: row.finishedAt?.toISOString() ?? null,
  }
}
