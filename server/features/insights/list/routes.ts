import { ContractError } from '@groundswell/contract/errors.ts'
import { deleteInsight, listInsights, restoreInsight } from '@groundswell/contract/insights.ts'
import { inWorkspace } from '../../../platform/db/tenant.ts'
import { type Handler, handle } from '../../../platform/http/handle.ts'
import type { Services } from '../../../platform/services.ts'
import { requestGrouping } from '../grouping/jobs.ts'
import type { Revisions } from '../revision.ts'
import { notePersonChange } from '../store.ts'
import { refreshShares } from '../tagging/shares.ts'
import { type ImportEffectHooks, importEffectRoutes } from './import-effects.ts'
import { InsightList } from './insight-list.ts'
import { wantsDelta } from './list-delta.ts'
import { markDeleted } from './store.ts'

/** The calls that list insights, delete and restore them, and report what an import did to them. */
export function listRoutes(services: Services, revisions: Revisions, hooks?: ImportEffectHooks): Handler[] {
  const list = new InsightList(services, revisions)

  const mark = async (workspaceId: string, issueNumber: number, deletedAt: Date | null) => {
    await inWorkspace(services.db, workspaceId, async (tx) => {
      if (!(await markDeleted(tx, workspaceId, issueNumber, deletedAt))) {
        throw new ContractError('not_found', 'There is no such insight')
      }
      await notePersonChange(tx, workspaceId, [issueNumber], services.now())
      await refreshShares(services, tx, workspaceId)
      await requestGrouping(services)(tx, workspaceId)
    })
    return { issue_number: issueNumber }
  }

  return [
    handle(listInsights, ({ caller, clientHas, clientVersion, request }) =>
      list.reply(caller.workspaceId, clientHas, wantsDelta(request) ? clientVersion() : null),
    ),

    handle(deleteInsight, ({ caller, params }) => mark(caller.workspaceId, params.issue_number, services.now())),

    handle(restoreInsight, ({ caller, params }) => mark(caller.workspaceId, params.issue_number, null)),

    ...importEffectRoutes(services, hooks),
  ]
}
