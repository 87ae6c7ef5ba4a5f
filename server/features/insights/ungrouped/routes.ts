import { listUngrouped } from '@groundswell/contract/insights.ts'
import { inWorkspace } from '../../../platform/db/tenant.ts'
import { type Handler, handle } from '../../../platform/http/handle.ts'
import type { Services } from '../../../platform/services.ts'
import { ungroupedPage } from './ungrouped.ts'

/** The call that lists mentions that are in no insight. */
export function ungroupedRoutes(services: Services): Handler[] {
  return [
    handle(listUngrouped, ({ caller, query }) =>
      inWorkspace(services.db, caller.workspaceId, (tx) =>
        ungroupedPage(tx, caller.workspaceId, { ...query, courtesies: query.courtesies === 'true' }),
      ),
    ),
  ]
}
