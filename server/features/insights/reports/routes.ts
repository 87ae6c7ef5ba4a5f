import { getReport } from '@groundswell/contract/reports.ts'
import { inWorkspace } from '../../../platform/db/tenant.ts'
import { type Handler, handle } from '../../../platform/http/handle.ts'
import type { Services } from '../../../platform/services.ts'
import { inTurn } from '../../../platform/shares/turns.ts'
import { viewReport } from './report.ts'

/** The call that counts mentions over time. */
export function reportRoutes(services: Services): Handler[] {
  return [
    handle(getReport, ({ caller, query, request: { signal } }) =>
      inTurn(services, 'reports', caller, signal, () =>
        inWorkspace(services.db, caller.workspaceId, (tx) => viewReport(tx, caller.workspaceId, query)),
      ),
    ),
  ]
}
