import { pipeline, Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { exportWorkspace } from '@groundswell/contract/accounts/workspace-export.ts'
import { type Handler, handle } from '../../../platform/http/handle.ts'
import { PreparedReply } from '../../../platform/http/prepared-reply.ts'
import type { Services } from '../../../platform/services.ts'
import { inTurn } from '../../../platform/shares/turns.ts'
import { openExport } from './write-export.ts'

/** A slow client holds a snapshot of the database, which then cannot clean up, for that long at most. */
const MAX_MS = 2 * 3_600_000

/** The call that exports the caller's workspace as a file. */
export function workspaceExportRoutes(services: Services): Handler[] {
  return [
    handle(exportWorkspace, ({ caller, request }) =>
      inTurn(services, 'workspace_exports', caller, request.signal, async () => {
        const { blocks, close } = await openExport(services, caller)
        const source = Readable.from(blocks, { objectMode: false, signal: AbortSignal.timeout(MAX_MS) })
        source.once('close', () => void close())
        const day = services.now().toISOString().slice(0, 10)
        // The status was sent with the first bytes: a later failure can only end the connection.
        const file = pipeline(source, createGzip(), (error) => {
          if (!error || request.signal.aborted) return
          request.log.error({ id: request.id, err: error.message }, 'an export of a workspace ended early')
        })
        const headers = {
          'content-type': 'application/gzip',
          'content-disposition': `attachment; filename="groundswell-workspace-${day}.jsonl.gz"`,
        }
        return new PreparedReply(200, headers, file)
      }),
    ),
  ]
}
