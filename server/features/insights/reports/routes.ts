import { getReport, getReportChanges, getReportPart } from '@groundswell/contract/reports.ts'
import { inWorkspace } from '../../../platform/db/tenant.ts'
import { type Handler, handle } from '../../../platform/http/handle.ts'
import type { Services } from '../../../platform/services.ts'
import { inTurn } from '../../../platform/shares/turns.ts'
import { viewReportChanges } from './changes.ts'
import { viewReportPart } from './part.ts'
import { viewReport } from './report.ts'

/** The calls that count mentions over time. */
export function reportRoutes(services: Services): Handler[] {
  return [
    handle(getReport, ({ caller, query, request: { signal } }) =>
      inTurn(services, 'reports', caller, signal, () =>
        inWorkspace(services.db, caller.workspaceId, (tx) => viewReport(tx, caller.workspaceId, query)),
      ),
    ),
    handle(getReportPart, ({ caller, query, request: { signal } }) =>
      inTurn(services, 'reports', caller, signal, () =>
        inWorkspace(services.db, caller.workspaceId, (tx) =>
          viewReportPart(tx, caller.workspaceId, query, query.key ?? null),
        ),
      ),
    ),
    handle(getReportChanges, ({ caller, query, request: { signal } }) =>
      inTurn(services, 'reports', caller, signal, () =>
        inWorkspace(services.db, caller.workspaceId, (tx) => viewReportChanges(tx, caller.workspaceId, query)),
      ),
    ),
  ]
}
