import { exportAudit, listAudit } from '@groundswell/contract/audit.ts'
import { inWorkspace } from '../../platform/db/tenant.ts'
import { type Handler, handle } from '../../platform/http/handle.ts'
import { PreparedReply } from '../../platform/http/prepared-reply.ts'
import type { Services } from '../../platform/services.ts'
import { inTurn } from '../../platform/shares/turns.ts'
import { headOf, lineOf, pagesOf } from './export.ts'
import { recordIn } from './record.ts'
import { readEvents } from './store.ts'

const PAGE = 100
const MAX_COUNT = 50_000
const MEDIA = { csv: 'text/csv; charset=utf-8', jsonl: 'application/x-ndjson; charset=utf-8' }

/** The calls on the log. An admin sees what was done in their own workspace, and nothing from others. */
export function auditRoutes(services: Services): Handler[] {
  return [
    handle(listAudit, async ({ query, caller }) => {
      const before = query.cursor === undefined ? undefined : Number(query.cursor)
      const entries = await inWorkspace(services.db, caller.workspaceId, (tx) =>
        readEvents(tx, { ...filterOf(query), before, limit: PAGE + 1 }),
      )
      const shown = entries.slice(0, PAGE)
      return { entries: shown, next_cursor: entries.length > PAGE ? (shown.at(-1)?.id ?? null) : null }
    }),
    handle(exportAudit, ({ query, caller, request }) =>
      inTurn(services, 'exports', caller, request.signal, async () => {
        const format = query.format ?? 'csv'
        const parts = [headOf(format)]
        const read = <T>(work: Parameters<typeof inWorkspace<T>>[2]) =>
          inWorkspace(services.db, caller.workspaceId, work)
        for await (const page of pagesOf(read, filterOf(query), MAX_COUNT)) {
          parts.push(page.map((entry) => lineOf(format, entry)).join(''))
        }
        const { accountId, workspaceId, email: actor } = caller
        const fields = {
          action: 'audit.exported',
          actor,
          actorId: accountId,
          accountId,
          workspaceId,
          detail: { format },
        }
        await read((tx) => recordIn(tx, services.now(), fields, request))
        return new PreparedReply(
          200,
          {
            'content-type': MEDIA[format],
            'content-disposition': `attachment; filename="groundswell-audit.${format}"`,
          },
          parts.join(''),
        )
      }),
    ),
  ]
}

function filterOf(query: { action?: string; since?: string; until?: string }) {
  return {
    action: query.action,
    since: query.since === undefined ? undefined : new Date(query.since),
    until: query.until === undefined ? undefined : new Date(query.until),
  }
}
