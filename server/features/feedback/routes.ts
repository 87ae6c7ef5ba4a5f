import { hash } from 'node:crypto'
import { ContractError } from '@groundswell/contract/errors.ts'
import { packingOf } from '@groundswell/contract/feedback/file-content.ts'
import {
  deleteImport as deleteImportCall,
  listReplaced,
  restoreReplaced as restoreReplacedCall,
} from '@groundswell/contract/feedback/import-undo.ts'
import { sendFeedback } from '@groundswell/contract/feedback/sent-feedback.ts'
import {
  answerImport,
  getImport,
  listFileSources,
  listImports,
  previewImport,
  startImport,
} from '@groundswell/contract/feedback.ts'
import { inWorkspace, type Tx } from '../../platform/db/tenant.ts'
import { type Handler, handle } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { expectedOf } from './expected.ts'
import type { FeedbackHooks } from './hooks.ts'
import { createImport } from './imports/create-import.ts'
import { fileReader, HEAD_BYTES } from './imports/import-file.ts'
import { importJob } from './imports/import-job.ts'
import { findImport, findLatestOwnSide, markAnswered, newestImports } from './imports/import-store.ts'
import { readImport, viewImport } from './imports/read-import.ts'
import { readingOf, refused, viewPreview } from './reading.ts'
import { rememberedOf, viewRemembered } from './remembered.ts'
import { readReplaced } from './replaced-store.ts'
import { retentionRoutes } from './retention/retention.ts'
import { storeSent } from './sent-feedback.ts'
import { listSources, recogniseFile } from './sources.ts'
import { deleteImport, restoreReplaced } from './take-back.ts'

const REPLACED_PAGE = 50

/** The calls on imports, on feedback that programs send, and on how long feedback is kept. */
export function feedbackRoutes(services: Services, hooks: FeedbackHooks): Handler[] {
  return [
    ...retentionRoutes(services, hooks),
    handle(previewImport, async ({ query, raw, caller }) => {
      const head = await readHead(raw)
      const { workspaceId } = caller
      const inOwn = <T>(work: (tx: Tx) => Promise<T>) => inWorkspace(services.db, workspaceId, work)
      const bytes = query.size ?? head.byteLength
      try {
        const options = readingOf(query)
        const size = query.size ?? null
        const detected = await fileReader().preview(head, options, size)
        const last = options.mapping ? null : await inOwn((tx) => rememberedOf(tx, workspaceId, detected))
        const ownReplies = options.ownReplies ?? last?.ownReplies ?? null
        const { found, ...seen } = last
          ? await fileReader().preview(head, { ...options, mapping: last.mapping, ownReplies }, size)
          : detected
        const headHash = hash('sha256', head.subarray(0, HEAD_BYTES))
        const file = { name: query.name, bytes, headHash, fileHash: null }
        const same = await inOwn((tx) => recogniseFile(tx, workspaceId, file))
        const source = (same ?? last)?.source
        const earlier = async () => (source ? inOwn((tx) => findLatestOwnSide(tx, workspaceId, source.id, null)) : null)
        const expected = await expectedOf(found, ownReplies === 'feedback' ? null : earlier)
        return { ...viewPreview(seen), expected, same, remembered: last && viewRemembered(last, detected.mapping) }
      } catch (error) {
        throw refused(error)
      }
    }),

    handle(startImport, ({ query, raw, caller }) => {
      const { source, source_name: sourceName, on_conflict: onConflict } = query
      return createImport(services, caller.workspaceId, { ...readingOf(query), source, sourceName, onConflict }, raw)
    }),

    handle(getImport, async ({ params, caller }) => {
      const found = await readImport(services, caller.workspaceId, params.id)
      if (!found) throw notFound()
      return found
    }),

    handle(listImports, async ({ caller }) => {
      const rows = await inWorkspace(services.db, caller.workspaceId, (tx) => newestImports(tx, caller.workspaceId))
      return { imports: rows.map(viewImport) }
    }),

    handle(answerImport, ({ params, body, caller }) =>
      inWorkspace(services.db, caller.workspaceId, async (tx) => {
        const { workspaceId } = caller
        if (!(await findImport(tx, workspaceId, params.id))?.uploaded) throw notFound()
        if (!(await markAnswered(tx, workspaceId, params.id, body.on_conflict))) {
          throw new ContractError('conflict', 'This import does not ask anything')
        }
        await services.queue.send(importJob, { workspaceId, importId: params.id }, { tx, key: workspaceId })
        const row = await findImport(tx, workspaceId, params.id)
        if (!row) throw notFound()
        return viewImport(row)
      }),
    ),

    handle(listReplaced, ({ params, query, caller }) =>
      inWorkspace(services.db, caller.workspaceId, async (tx) => {
        const { workspaceId } = caller
        if (!(await findImport(tx, workspaceId, params.id))) throw notFound()
        const rows = await readReplaced(tx, workspaceId, params.id, query.after ?? 0, REPLACED_PAGE + 1)
        const replaced = rows.slice(0, REPLACED_PAGE)
        return { replaced, next: rows.length > replaced.length ? (replaced.at(-1)?.item_id ?? null) : null }
      }),
    ),

    handle(restoreReplacedCall, async ({ params, body, caller }) => ({
      restored: await restoreReplaced(services, caller.workspaceId, params.id, body.item_ids ?? null, hooks),
    })),

    handle(deleteImportCall, ({ params, caller }) => deleteImport(services, caller.workspaceId, params.id, hooks)),

    handle(sendFeedback, ({ body, caller }) => storeSent(services, caller.workspaceId, body.items, hooks)),

    handle(listFileSources, ({ caller }) =>
      inWorkspace(services.db, caller.workspaceId, async (tx) => ({
        sources: await listSources(tx, caller.workspaceId),
      })),
    ),
  ]
}

function notFound(): ContractError {
  return new ContractError('not_found', 'There is no such import')
}

const tooLarge = () => new ContractError('payload_too_large', 'Send the first 256 KiB of the file only')

async function readHead(raw: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of raw) {
    parts.push(part)
    size += part.length
    if (size > HEAD_BYTES * 2) throw tooLarge()
  }
  const head = Buffer.concat(parts)
  // After the first bytes of an archive comes its list of contents.
  if (head.byteLength > HEAD_BYTES && packingOf(head) !== 'zip') throw tooLarge()
  return head
}
