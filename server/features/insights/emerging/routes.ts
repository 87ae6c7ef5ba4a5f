import { ContractError } from '@groundswell/contract/errors.ts'
import {
  dismissEmerging,
  keepEmerging,
  listEmerging,
  restoreEmerging,
} from '@groundswell/contract/insights/emerging.ts'
import { inWorkspace } from '../../../platform/db/tenant.ts'
import { type Handler, handle } from '../../../platform/http/handle.ts'
import type { Services } from '../../../platform/services.ts'
import { requestInsight } from '../corrections/requests.ts'
import { requestGrouping } from '../grouping/jobs.ts'
import type { Revisions } from '../revision.ts'
import { RevisionedReply } from '../revisioned-reply.ts'
import { viewEmerging } from './emerging.ts'
import { markDismissed, readEmergingMentions } from './store.ts'

/** The calls that list emerging insights, keep, dismiss and restore them. */
export function emergingRoutes(services: Services, revisions: Revisions): Handler[] {
  const list = new RevisionedReply(services, revisions, listEmerging, viewEmerging)

  const mark = async (workspaceId: string, number: number, dismissedAt: Date | null) => {
    await inWorkspace(services.db, workspaceId, async (tx) => {
      if (!(await markDismissed(tx, workspaceId, number, dismissedAt))) throw notFound()
      await requestGrouping(services)(tx, workspaceId)
    })
    return { emerging_id: number }
  }

  return [
    handle(listEmerging, ({ caller, clientHas }) => list.reply(caller.workspaceId, clientHas)),

    handle(keepEmerging, ({ caller, params }) =>
      inWorkspace(services.db, caller.workspaceId, async (tx) => {
        const { workspaceId, name, email } = caller
        const mentions = await readEmergingMentions(tx, workspaceId, params.emerging_id)
        if (mentions.length === 0) throw notFound()
        const made = await requestInsight(tx, workspaceId, mentions, name || email)
        await requestGrouping(services)(tx, workspaceId)
        return made
      }),
    ),

    handle(dismissEmerging, ({ caller, params }) => mark(caller.workspaceId, params.emerging_id, services.now())),

    handle(restoreEmerging, ({ caller, params }) => mark(caller.workspaceId, params.emerging_id, null)),
  ]
}

function notFound(): ContractError {
  return new ContractError('not_found', 'There is no such emerging insight: it may have become an insight')
}
