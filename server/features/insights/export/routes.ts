import { Readable } from 'node:stream'
import { exportInsights } from '@groundswell/contract/insights/insight-export.ts'
import { inWorkspace } from '../../../platform/db/tenant.ts'
import { type Handler, handle } from '../../../platform/http/handle.ts'
import { PreparedReply } from '../../../platform/http/prepared-reply.ts'
import type { Services } from '../../../platform/services.ts'
import { inTurn } from '../../../platform/shares/turns.ts'
import { exportFile } from './export.ts'

const MEDIA = { csv: 'text/csv; charset=utf-8', jsonl: 'application/x-ndjson; charset=utf-8' }

/** The call that exports insights with their mentions as a file. */
export function exportRoutes(services: Services): Handler[] {
  return [
    handle(exportInsights, ({ caller, body: { format, issue_numbers }, request }) =>
      inTurn(services, 'exports', caller, request.signal, async () => {
        const { workspaceId } = caller
        const lines = exportFile(
          (work) => inWorkspace(services.db, workspaceId, (tx) => work(tx, workspaceId)),
          format,
          issue_numbers,
        )
        const headers = {
          'content-type': MEDIA[format],
          'content-disposition': `attachment; filename="groundswell-insights.${format}"`,
        }
        const file = Readable.from(lines, { objectMode: false })
        // The status was sent with the first line: a later failure can only end the connection.
        file.on('error', (error) => {
          if (!request.signal.aborted)
            request.log.error({ id: request.id, err: error.message }, 'an export ended early')
        })
        return new PreparedReply(200, headers, file)
      }),
    ),
  ]
}
