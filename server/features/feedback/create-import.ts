import type { FileOptions } from '@groundswell/connectors/connector.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import type { Import } from '@groundswell/contract/feedback.ts'
import { inWorkspace, type Tx } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { fileConnection } from '../connections/index.ts'
import { acceptText } from './accept-text.ts'
import { piecesOf } from './import-file.ts'
import { importJob } from './import-job.ts'
import { deleteImport, findImport, insertChunk, insertImport, markUploaded } from './import-store.ts'
import { viewImport } from './read-import.ts'

/** How a file is to be read; null or left out is for the reader to find out. */
export type ImportOptions = { name: string } & Partial<Omit<FileOptions, 'name'>>

/**
 * Stores a file in pieces, whatever its size, and has it read in the background. It returns once every byte is stored: from
 * then on a crash loses nothing. When the bytes break off or there are none, nothing is kept and the error is thrown.
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
  const { name, ...reading } = options
  const file = { format: null, header: null, mapping: null, ...reading }
  const importId = await inOwn(async (tx) => {
    const connection = await fileConnection(tx, workspaceId)
    const row = { connectionId: connection.id, name, options: file, at: services.now() }
    return insertImport(tx, workspaceId, row)
  })
  try {
    let size = 0
    let number = 0
    for await (const piece of piecesOf(acceptText(bytes, reading))) {
      const at = number
      await inOwn((tx) => insertChunk(tx, workspaceId, importId, at, piece))
      number += 1
      size += piece.length
    }
    if (size === 0) throw new ContractError('invalid_input', 'The file is empty', { body: 'The file is empty' })
    return await inOwn(async (tx) => {
      await markUploaded(tx, workspaceId, importId, size)
      if (background) await services.queue.send(importJob, { workspaceId, importId }, { tx, key: workspaceId })
      const row = await findImport(tx, workspaceId, importId)
      if (!row) throw new Error(`import ${importId} went away while it was stored`)
      return viewImport(row)
    })
  } catch (error) {
    await inOwn((tx) => deleteImport(tx, workspaceId, importId)).catch(() => {
      services.log.warn({ import: importId }, 'a broken upload is still there: the sweep removes it')
    })
    throw error
  }
}
