import { ContractError } from '@groundswell/contract/errors.ts'
import type { FileSource } from '@groundswell/contract/feedback.ts'
import type { Tx } from '../../platform/db/tenant.ts'
import { addFileSource, fileSources } from '../connections/index.ts'
import { countSources, findSameFile, type SameFile } from './source-store.ts'

/**
 * Where an import's rows are stored: the id of a source, `new`, or, left out, the source that the same file went to before, else a new one.
 */
export type SourceChoice = { source?: string | undefined; sourceName?: string | undefined }

/** The file sources of a workspace with their contents, oldest first. */
export async function listSources(tx: Tx, workspaceId: string): Promise<FileSource[]> {
  const sources = await fileSources(tx, workspaceId)
  const counts = await countSources(tx, workspaceId)
  return sources.map(({ id, name }) => ({ id, name, messages: 0, imports: 0, ...counts.get(id) }))
}

/** The newest import of the same file, judged by its first part and its size. */
export async function recogniseFile(
  tx: Tx,
  workspaceId: string,
  file: Parameters<typeof findSameFile>[2],
): Promise<{ source: FileSource; imported_at: string } | null> {
  const same = await findSameFile(tx, workspaceId, file)
  const source = same && (await listSources(tx, workspaceId)).find(({ id }) => id === same.connectionId)
  return source ? { source, imported_at: same.startedAt.toISOString() } : null
}

/** Throws `invalid_input` when a chosen source does not exist. */
export async function checkSource(tx: Tx, workspaceId: string, { source }: SourceChoice): Promise<void> {
  if (source === undefined || source === 'new') return
  if ((await fileSources(tx, workspaceId)).some(({ id }) => id === source)) return
  throw new ContractError('invalid_input', 'There is no such source', { source: 'There is no such source' })
}

/** The id of the source that an import's rows are stored in; a new one is created now. */
export async function chooseSource(
  tx: Tx,
  workspaceId: string,
  { source, sourceName }: SourceChoice,
  file: Parameters<typeof findSameFile>[2],
): Promise<string> {
  await checkSource(tx, workspaceId, { source })
  if (source !== undefined && source !== 'new') return source
  const same: SameFile | null = source === 'new' ? null : await findSameFile(tx, workspaceId, file)
  if (same) return same.connectionId
  return (await addFileSource(tx, workspaceId, sourceName ?? nameFor(file.name))).id
}

/** The name of a new source: that of the file, without its extension. */
function nameFor(fileName: string): string {
  const name = fileName.replace(/\.[a-z]{1,6}$/i, '').trim()
  return (name === '' ? fileName : name).slice(0, 200).toWellFormed()
}
