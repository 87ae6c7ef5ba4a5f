import { hash } from 'node:crypto'
import type { FilePreview } from '@groundswell/connectors/connector.ts'
import type { ColumnMapping, FileSource, OwnReplies, previewImport } from '@groundswell/contract/feedback.ts'
import type { ReplyOf } from '@groundswell/contract/route.ts'
import type { Tx } from '../../platform/db/tenant.ts'
import { findLastOfHeader } from './imports/import-store.ts'
import { listSources } from './sources.ts'

/** How the last file with the same header was imported. `source` is null once that is deleted. */
export type Remembered = {
  mapping: ColumnMapping
  ownReplies: OwnReplies | null
  source: FileSource | null
  importedAt: Date
}

/**
 * What tells that two files have the same header: the names of their columns, in any order, as columns are chosen by name. Null where a file names none: columns
 * that are only counted say nothing about what is in them.
 */
export function headerOf({
  header,
  format,
  columns,
}: Pick<FilePreview, 'header' | 'format' | 'columns'>): string | null {
  if (!(header || format === 'jsonl') || columns.length === 0) return null
  return hash('sha256', JSON.stringify([...columns].sort()), 'hex')
}

/** What a person chose for the last import of a file with this header that was not undone; null: there is none. */
export async function rememberedOf(
  tx: Tx,
  workspaceId: string,
  file: Pick<FilePreview, 'header' | 'format' | 'columns'>,
): Promise<Remembered | null> {
  const header = headerOf(file)
  const last = header === null ? null : await findLastOfHeader(tx, workspaceId, header)
  const mapping = last?.options.mapping
  // One that names a column otherwise than by its name is not about this file.
  if (!mapping || !Object.values(mapping).every((name) => file.columns.includes(name))) return null
  const sources = last.connectionId === null ? [] : await listSources(tx, workspaceId)
  return {
    mapping,
    ownReplies: last.options.ownReplies ?? null,
    source: sources.find(({ id }) => id === last.connectionId) ?? null,
    importedAt: last.startedAt,
  }
}

/** The same as the call returns it. `detected`: the columns as they would be without it. */
export function viewRemembered(
  { source, ownReplies, importedAt }: Remembered,
  detected: ColumnMapping,
): NonNullable<ReplyOf<typeof previewImport>['remembered']> {
  return { imported_at: importedAt.toISOString(), source, own_replies: ownReplies, detected }
}
