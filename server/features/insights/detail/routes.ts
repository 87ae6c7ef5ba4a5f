import { getInsightDetail } from '@groundswell/contract/insights/insight-detail.ts'
import { getThread } from '@groundswell/contract/insights/thread.ts'
import { listEvidence } from '@groundswell/contract/insights.ts'
import { inWorkspace } from '../../../platform/db/tenant.ts'
import { type Handler, handle } from '../../../platform/http/handle.ts'
import type { Services } from '../../../platform/services.ts'
import { noteOpened } from '../settled-store.ts'
import { describeInsight } from './detail.ts'
import { evidencePage } from './evidence.ts'
import { threadOf } from './thread.ts'

/** The calls that show one insight: its panel and its mentions. */
export function detailRoutes(services: Services): Handler[] {
  return [
    handle(getInsightDetail, ({ caller, params }) =>
      inWorkspace(services.db, caller.workspaceId, async (tx) => {
        const detail = await describeInsight(tx, caller.workspaceId, params.issue_number, services.now())
        if (!caller.key) await noteOpened(tx, caller.workspaceId, params.issue_number, services.now())
        return detail
      }),
    ),

    handle(listEvidence, ({ caller, params, query }) =>
      inWorkspace(services.db, caller.workspaceId, (tx) =>
        evidencePage(tx, caller.workspaceId, params.issue_number, query),
      ),
    ),

    handle(getThread, ({ caller, params }) =>
      inWorkspace(services.db, caller.workspaceId, (tx) =>
        threadOf(tx, caller.workspaceId, params.issue_number, params.id),
      ),
    ),
  ]
}
