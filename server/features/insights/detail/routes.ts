import { getInsightDetail } from '@groundswell/contract/insight-detail.ts'
import { listEvidence } from '@groundswell/contract/insights.ts'
import { getThread } from '@groundswell/contract/thread.ts'
import { inWorkspace } from '../../../platform/db/tenant.ts'
import { type Handler, handle } from '../../../platform/http/handle.ts'
import type { Services } from '../../../platform/services.ts'
import { describeInsight } from './detail.ts'
import { evidencePage } from './evidence.ts'
import { threadOf } from './thread.ts'

/** The calls that show one insight: its panel and its mentions. */
export function detailRoutes(services: Services): Handler[] {
  return [
    handle(getInsightDetail, ({ caller, params }) =>
      inWorkspace(services.db, caller.workspaceId, (tx) =>
        describeInsight(tx, caller.workspaceId, params.issue_number, services.now()),
      ),
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
