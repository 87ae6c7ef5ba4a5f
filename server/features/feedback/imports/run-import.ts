import type { FilePage } from '@groundswell/connectors/connector.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import { type BadRow, type Import, MAX_OWN_PEOPLE } from '@groundswell/contract/feedback.ts'
import { inWorkspace, type Tx } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import { inPart } from '../../../platform/traces/spans.ts'
import type { FeedbackHooks } from '../hooks.ts'
import { decideOwnSide, withSides } from '../own-side.ts'
import { storeOwnSide } from '../store-own-side.ts'
import { storeRows } from '../store-rows.ts'
import { checkImport } from './check-import.ts'
import { fileReader, storedBytes } from './import-file.ts'
import {
  endImport,
  findImport,
  type ImportProgress,
  type ImportRow,
  lockImport,
  markAnswered,
  markAsking,
  markRunning,
  saveProgress,
} from './import-store.ts'
import { readImport } from './read-import.ts'
import type { FileRow } from './row-store.ts'

/** How an import is watched and stopped. The hooks run in the transaction of each batch. */
export type ImportRun = FeedbackHooks & {
  onProgress?: (progress: Pick<ImportRow, 'added' | 'known' | 'bad' | 'bytesRead' | 'bytes'>) => void
  signal?: AbortSignal
}

type Batch = { rows: FileRow[]; problems: BadRow[]; line: number; bytes: number }
/** An import whose file is stored has a source. */
type Readable = ImportRow & { connectionId: string }

const BATCH_ROWS = 1_000
const MAX_NAMED_ROWS = 200

/** Another process has continued this import. */
class Superseded extends Error {}

/**
 * Reads the file of an import into its source. Each batch of rows is stored in one transaction with how far the file is read,
 * so a run that was killed resumes after its last batch. An import that has to ask before it replaces text is first compared with
 * its source; if it would replace any, it returns in the state `asking`. A file that cannot be read ends the import with
 * an error text; any other failure is thrown, and the import can be run again. When another process reads it
 * at the same time, one of the two stops and returns its current state.
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
  if (!row?.uploaded || !isReadable(row)) throw new ContractError('not_found', 'There is no such import')
  if (row.state === 'running') {
    const end = (error: string | null) =>
      inOwn((tx) => endImport(tx, workspaceId, importId, { error, at: services.now() }))
    try {
      const ownSide = await decideOwnSide(services, workspaceId, row, run.signal)
      if (await isReadyToRead(services, workspaceId, { ...row, ownSide }, run.signal)) {
        await readAll(services, workspaceId, (await inOwn((tx) => findImport(tx, workspaceId, importId))) ?? row, run)
        await end(null)
      }
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

function isReadable(row: ImportRow): row is Readable {
  return row.connectionId !== null
}

/** Compares an import with its source if it has to ask. False: it now waits for an answer. */
async function isReadyToRead(
  services: Services,
  workspaceId: string,
  row: Readable,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (row.onConflict !== 'ask') return true
  const asks = await checkImport(services, workspaceId, row, signal)
  await inWorkspace(services.db, workspaceId, async (tx) => {
    if (asks) await markAsking(tx, workspaceId, row.id, asks)
    else await markAnswered(tx, workspaceId, row.id, 'replace')
  })
  return asks === null
}

async function readAll(services: Services, workspaceId: string, row: ImportRow, run: ImportRun): Promise<void> {
  if (!isReadable(row)) throw new Superseded()
  const options = { name: row.name, ...row.options }
  const bytes = storedBytes(services, workspaceId, row)
  let progress: ImportProgress = row
  const pages = withSides(fileReader().read(bytes, options, row.startedAt), row.ownSide ?? { by: null, authors: [] })
  for await (const batch of batches(pages, row.line)) {
    run.signal?.throwIfAborted()
    const before = progress
    const facts = { 'groundswell.messages': batch.rows.length }
    progress = await inPart({ name: 'store messages', facts }, () =>
      inWorkspace(services.db, workspaceId, (tx) => storeBatch(tx, workspaceId, row, before, batch, run)),
    )
    run.onProgress?.({ ...progress, bytes: row.bytes })
  }
}

/** Joins the reader's pages to batches that end where a page ends, leaving out pages that are stored already. */
async function* batches(pages: AsyncIterable<FilePage>, storedLine: number): AsyncGenerator<Batch> {
  let batch: Batch = { rows: [], problems: [], line: 0, bytes: 0 }
  for await (const page of pages) {
    if (storedLine > 0 && page.line <= storedLine) continue
    batch.rows.push(...page.items.map((item, index) => ({ line: page.lines[index] ?? 0, item })))
    batch.problems.push(...page.problems)
    batch = { ...batch, line: page.line, bytes: page.bytes }
    if (batch.rows.length + batch.problems.length < BATCH_ROWS) continue
    yield batch
    batch = { rows: [], problems: [], line: page.line, bytes: page.bytes }
  }
  if (batch.rows.length + batch.problems.length > 0) yield batch
}

async function storeBatch(
  tx: Tx,
  workspaceId: string,
  row: Readable,
  before: ImportProgress,
  batch: Batch,
  run: ImportRun,
): Promise<ImportProgress> {
  const locked = await lockImport(tx, workspaceId, row.id)
  if (locked?.state !== 'running' || locked.line !== before.line) throw new Superseded()
  const { connectionId, fileHash, startedAt: importedAt, onConflict } = row
  const target = { importId: row.id, connectionId, fileHash }
  const ours = batch.rows.filter(({ item }) => item.role === 'agent')
  const theirs = batch.rows.filter(({ item }) => item.role !== 'agent')
  const stored = await storeRows(tx, workspaceId, target, theirs, { importedAt, keep: onConflict === 'keep' })
  const own = await storeOwnSide(tx, workspaceId, target, ours, importedAt)
  const progress: ImportProgress = {
    added: before.added + stored.added,
    known: before.known + stored.known,
    replaced: before.replaced + stored.replaced,
    repeated: before.repeated + stored.repeated,
    bad: before.bad + batch.problems.length,
    context: before.context + own.context,
    undated: before.undated + batch.rows.filter(({ item }) => item.dateKnown === false).length,
    contextLeftOut: before.contextLeftOut + own.leftOut,
    ownPeople: [...new Set([...before.ownPeople, ...own.people])].slice(0, MAX_OWN_PEOPLE),
    bytesRead: batch.bytes,
    line: batch.line,
    problems: [...before.problems, ...batch.problems].slice(0, MAX_NAMED_ROWS),
    repeats: [...before.repeats, ...stored.repeats].slice(0, MAX_NAMED_ROWS),
    firstItem: before.firstItem ?? stored.firstId,
    lastItem: stored.lastId ?? before.lastItem,
  }
  await saveProgress(tx, workspaceId, row.id, progress)
  if (stored.relabelled.length > 0) await run.relabelled?.(tx, workspaceId, stored.relabelled)
  if (stored.regroup || own.removed > 0) await run.stored(tx, workspaceId)
  return progress
}

/** The text of a failure that every retry would run into; null for a temporary one. */
function finalReason(error: unknown): string | null {
  if (error instanceof ContractError) return error.message
  const { kind, message } = (error ?? {}) as { kind?: unknown; message?: unknown }
  return kind === 'rejected' && typeof message === 'string' ? message : null
}
