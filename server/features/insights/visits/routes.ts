import { listChanges, noteVisit } from '@groundswell/contract/insights/visits.ts'
import { inWorkspace } from '../../../platform/db/tenant.ts'
import { type Handler, handle } from '../../../platform/http/handle.ts'
import type { Services } from '../../../platform/services.ts'
import type { Revisions } from '../revision.ts'
import { RevisionedReply } from '../revisioned-reply.ts'
import { spanFrom, spanOf, spanText, viewChanges } from './changes.ts'
import { noteVisitOf } from './visit-store.ts'

/** The calls that record a person's visit and list what changed since the previous one. */
export function visitRoutes(services: Services, revisions: Revisions): Handler[] {
  const changes = new RevisionedReply(services, revisions, listChanges, (tx, workspaceId, span) =>
    viewChanges(tx, workspaceId, spanFrom(span)),
  )
  return [
    handle(noteVisit, ({ caller }) =>
      inWorkspace(services.db, caller.workspaceId, async (tx) => {
        const since = await noteVisitOf(tx, caller.workspaceId, caller.accountId, services.now())
        return { since: since?.toISOString() ?? null }
      }),
    ),

    handle(listChanges, ({ caller, query, clientHas }) =>
      changes.reply(caller.workspaceId, clientHas, spanText(spanOf(new Date(query.since), services.now()))),
    ),
  ]
}
