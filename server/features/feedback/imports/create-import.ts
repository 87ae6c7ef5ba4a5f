import { createHash, type Hash } from 'node:crypto'
import type { FileOptions, Reopenable } from '@groundswell/connectors/connector.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import { packingOf } from '@groundswell/contract/feedback/file-content.ts'
import type { Import } from '@groundswell/contract/feedback.ts'
import { inWorkspace, type Tx } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import { acceptText } from '../accept-text.ts'
import { refused } from '../reading.ts'
import { headerOf } from '../remembered.ts'
import { checkSource, chooseSource, type SourceChoice } from '../sources.ts'
import { fileReader, HEAD_BYTES, piecesOf, storedBytes } from './import-file.ts'
import { importJob } from './import-job.ts'
import { findImport, insertChunk, insertImport, markUploaded, type OnConflict, removeImport } from './import-store.ts'
import { viewImport } from './read-import.ts'

/** How a file is to be read and where its rows are stored; the reader detects what is null or left out. */
export type ImportOptions = { name: string; onConflict?: OnConflict } & Partial<Omit<FileOptions, 'name'>> &
  SourceChoice

/**
 * Stores a file in pieces, whatever its size, and has it read in the background. It returns once every byte is stored: from
 * then on a crash loses nothing. When the upload is interrupted or empty, nothing is stored and the error is thrown.
 * With `background` false the caller reads it by `runImport`; if it dies, the sweep takes over.
 */
export async function createImport(
  services: Services,
  workspaceId: string,
  options: ImportOptions,
  bytes: AsyncIterable<Uint8Array>,
  { background = true } = {},
): Promise<Import> {
  const inOwn = <T>(work: (tx: Tx) => Promise<T>) => inWorkspace(services.db, workspaceId, work)
  const { name, source, sourceName, onConflict = 'ask', ...reading } = options
  const file = { format: null, header: null, mapping: null, ...reading }
  const importId = await inOwn(async (tx) => {
    await checkSource(tx, workspaceId, { source })
    return insertImport(tx, workspaceId, { name, options: file, onConflict, at: services.now() })
  })
  try {
    let size = 0
    let number = 0
    let first = new Uint8Array(0)
    const whole = createHash('sha256')
    const head = createHash('sha256')
    for await (const piece of piecesOf(acceptText(bytes, reading))) {
      const at = number
      if (at === 0) first = Uint8Array.from(piece.subarray(0, HEAD_BYTES))
      await inOwn((tx) => insertChunk(tx, workspaceId, importId, at, piece))
      whole.update(piece)
      updateHead(head, piece, size)
      number += 1
      size += piece.length
    }
    if (size === 0) throw new ContractError('invalid_input', 'The file is empty', { body: 'The file is empty' })
    const part = packingOf(first) === null ? first : storedBytes(services, workspaceId, { id: importId, bytes: size })
    const header = await readHeader(part, { name, ...file }, size)
    const stored = { bytes: size, fileHash: whole.digest('hex'), headHash: head.digest('hex'), header }
    return await inOwn(async (tx) => {
      const connectionId = await chooseSource(tx, workspaceId, { source, sourceName }, { name, ...stored })
      await markUploaded(tx, workspaceId, importId, connectionId, stored)
      if (background) await services.queue.send(importJob, { workspaceId, importId }, { tx, key: workspaceId })
      const row = await findImport(tx, workspaceId, importId)
      if (!row) throw new Error(`import ${importId} went away while it was stored`)
      return viewImport(row)
    })
  } catch (error) {
    await inOwn((tx) => removeImport(tx, workspaceId, importId)).catch(() => {
      services.log.warn({ import: importId }, 'an interrupted upload could not be removed: the sweep removes it')
    })
    throw error
  }
}

/**
 * The header by which an import's columns are remembered, if they were chosen. Only a whole archive says what is in it: one that holds no
 * feedback is refused like a file that is no text. Of text the import itself says what is wrong.
 */
async function readHeader(bytes: Uint8Array | Reopenable, options: FileOptions, size: number): Promise<string | null> {
  const isText = bytes instanceof Uint8Array
  if (isText && options.mapping === null) return null
  try {
    const found = await fileReader().preview(bytes, options, size)
    return options.mapping === null ? null : headerOf(found)
  } catch (error) {
    const refusal = refused(error)
    if (isText && refusal instanceof ContractError) return null
    throw refusal
  }
}

/** Adds the part of a piece that belongs to the first bytes. `from` is the piece's offset in the file. */
function updateHead(head: Hash, piece: Uint8Array, from: number): void {
  if (from < HEAD_BYTES) head.update(piece.subarray(0, HEAD_BYTES - from))
}
