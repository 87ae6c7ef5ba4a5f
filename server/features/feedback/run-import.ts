import type { FeedbackItem, FilePage } from '@groundswell/connectors/connector.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import type { BadRow, Import } from '@groundswell/contract/feedback.ts'
import { inWorkspace, type Tx } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { fileReader, storedBytes } from './import-file.ts'
import {
  endImport,
  findImport,
  type ImportProgress,
  type ImportRow,
  lockImport,
  markRunning,
  saveProgress,
} from './import-store.ts'
import { readImport } from './read-import.ts'
import { storeItems } from './store.ts'

/** How an import is watched and stopped. `stored` runs in the transaction of each batch that brought something new. */
export type ImportRun = {
  stored(tx: Tx, workspaceId: string): Promise<void>
  onProgress?: (progress: Pick<ImportRow, 'added' | 'known' | 'bad' | 'bytesRead' | 'bytes'>) => void
  signal?: AbortSignal
}

type Batch = { items: FeedbackItem[]; problems: BadRow[]; line: number; bytes: number }

const BATCH_ROWS = 1_000
const MOST_PROBLEMS = 200

/** Another process has read on in this import. */
class Superseded extends Error {}

/**
 * Reads the file of an import into feedback. Each batch of rows is stored in one transaction with how far the file is read,
 * so a run that was killed is gone on with where the last batch ended. A file that cannot be read ends the import with
 * an error in words; any other failure is thrown, and the import can be run again. When another process reads it
 * at the same time one of the two gives up and returns it as it stands.
 */
export async function runImport(
  services: Services,
  workspaceId: string,
  importId: string,
  run: ImportRun,
): Promise<Import> {
  const inOwn = <T>(work: (tx: Tx) => Promise<T>) => inWorkspace(services.db, workspaceId, work)
  const row = await inOwn(async (tx) => {
    await markRunning(tx, workspaceId, importId)
    return findImport(tx, workspaceId, importId)
  })
  if (!row?.uploaded) throw new ContractError('not_found', 'There is no such import')
  if (row.state === 'running') {
    const end = (error: string | null) =>
      inOwn((tx) => endImport(tx, workspaceId, importId, { error, at: services.now() }))
    try {
      await readAll(services, workspaceId, row, run)
      await end(null)
    } catch (error) {
      const reason = finalReason(error)
      if (reason !== null) await end(reason)
      else if (!(error instanceof Superseded)) throw error
    }
  }
  const ended = await readImport(services, workspaceId, importId)
  if (!ended) throw new ContractError('not_found', 'There is no such import')
  return ended
}

async function readAll(services: Services, workspaceId: string, row: ImportRow, run: ImportRun): Promise<void> {
  const options = { name: row.name, ...row.options }
  const bytes = storedBytes(services, workspaceId, row.id)
  let progress: ImportProgress = row
  for await (const batch of batches(fileReader().read(bytes, options, row.startedAt), row.line)) {
    run.signal?.throwIfAborted()
    const before = progress
    progress = await inWorkspace(services.db, workspaceId, (tx) => storeBatch(tx, workspaceId, row, before, batch, run))
    run.onProgress?.({ ...progress, bytes: row.bytes })
  }
}

/** Joins the reader's pages to batches that end where a page ends, leaving out pages that are stored already. */
async function* batches(pages: AsyncIterable<FilePage>, storedLine: number): AsyncGenerator<Batch> {
  let batch: Batch = { items: [], problems: [], line: 0, bytes: 0 }
  for await (const page of pages) {
    if (storedLine > 0 && page.line <= storedLine) continue
    batch.items.push(...page.items)
    batch.problems.push(...page.problems)
    batch = { ...batch, line: page.line, bytes: page.bytes }
    if (batch.items.length + batch.problems.length < BATCH_ROWS) continue
    yield batch
    batch = { items: [], problems: [], line: page.line, bytes: page.bytes }
  }
  if (batch.items.length + batch.problems.length > 0) yield batch
}

async function storeBatch(
  tx: Tx,
  workspaceId: string,
  row: ImportRow,
  before: ImportProgress,
  batch: Batch,
  run: ImportRun,
): Promise<ImportProgress> {
  const locked = await lockImport(tx, workspaceId, row.id)
  if (locked?.state !== 'running' || locked.line !== before.line) throw new Superseded()
  const stored = await storeItems(tx, workspaceId, row.connectionId, batch.items)
  const progress: ImportProgress = {
    added: before.added + stored.added,
    known: before.known + stored.known,
    bad: before.bad + batch.problems.length,
    bytesRead: batch.bytes,
    line: batch.line,
    problems: [...before.problems, ...batch.problems].slice(0, MOST_PROBLEMS),
    firstItem: before.firstItem ?? stored.firstId,
    lastItem: stored.lastId ?? before.lastItem,
  }
  await saveProgress(tx, workspaceId, row.id, progress)
  if (stored.added > 0 || stored.changed.length > 0) await run.stored(tx, workspaceId)
  return progress
}

/** The words of a failure that would come again at every try; null for one that may pass. */
function finalReason(error: unknown): string | null {
  if (error instanceof ContractError) return error.message
  const { kind, message } = (error ?? {}) as { kind?: unknown; message?: unknown }
  return kind === 'rejected' && typeof message === 'string' ? message : null
}
