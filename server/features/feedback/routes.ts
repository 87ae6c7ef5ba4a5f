import { ContractError } from '@groundswell/contract/errors.ts'
import { getImport, listImports, previewImport, startImport } from '@groundswell/contract/feedback.ts'
import { inWorkspace } from '../../platform/db/tenant.ts'
import { type Handler, handle } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { createImport } from './create-import.ts'
import { fileReader } from './import-file.ts'
import { newestImports } from './import-store.ts'
import { readImport, viewImport } from './read-import.ts'
import { readingOf, viewPreview } from './reading.ts'

const HEAD_BYTES = 256 * 1024

/** The calls on imports. */
export function feedbackRoutes(services: Services): Handler[] {
  return [
    handle(previewImport, async ({ query, raw }) => {
      const head = await readHead(raw)
      try {
        return viewPreview(await fileReader().preview(head, readingOf(query)))
      } catch (error) {
        throw refusalOf(error)
      }
    }),

    handle(startImport, ({ query, raw, caller }) => createImport(services, caller.workspaceId, readingOf(query), raw)),

    handle(getImport, async ({ params, caller }) => {
      const found = await readImport(services, caller.workspaceId, params.id)
      if (!found) throw new ContractError('not_found', 'There is no such import')
      return found
    }),

    handle(listImports, async ({ caller }) => {
      const rows = await inWorkspace(services.db, caller.workspaceId, (tx) => newestImports(tx, caller.workspaceId))
      return { imports: rows.map(viewImport) }
    }),
  ]
}

async function readHead(raw: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of raw) {
    parts.push(part)
    size += part.length
    if (size > HEAD_BYTES) throw new ContractError('payload_too_large', 'Send the first 256 KiB of the file only')
  }
  return Buffer.concat(parts)
}

/** What a file's reader refuses, as the contract names it. */
function refusalOf(error: unknown): unknown {
  const { kind, message } = (error ?? {}) as { kind?: unknown; message?: unknown }
  if (kind !== 'rejected' || typeof message !== 'string') return error
  return new ContractError('invalid_input', message, { body: message })
}
