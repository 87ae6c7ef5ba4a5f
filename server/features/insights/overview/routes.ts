import { getOverview } from '@groundswell/contract/insights/overview.ts'
import { type Handler, handle } from '../../../platform/http/handle.ts'
import type { Services } from '../../../platform/services.ts'
import type { MeaningHooks } from '../corrections/why.ts'
import type { Revisions } from '../revision.ts'
import { RevisionedReply } from '../revisioned-reply.ts'
import { viewOverview } from './overview.ts'

/** The call that says where the mentions of a workspace are. */
export function overviewRoutes(services: Services, revisions: Revisions, meaning: MeaningHooks | undefined): Handler[] {
  const overview = new RevisionedReply(services, revisions, getOverview, async (tx, workspaceId) =>
    viewOverview(tx, workspaceId, (await meaning?.languages(tx, workspaceId)) ?? null),
  )
  return [handle(getOverview, ({ caller, clientHas }) => overview.reply(caller.workspaceId, clientHas))]
}
