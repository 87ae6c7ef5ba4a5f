import { searchFeedback } from '@groundswell/contract/feedback-search.ts'
import { inWorkspace } from '../../../platform/db/tenant.ts'
import { type Handler, handle } from '../../../platform/http/handle.ts'
import type { Services } from '../../../platform/services.ts'
import { searchPage } from './search.ts'

/** The call that searches all feedback. */
export function searchRoutes(services: Services): Handler[] {
  return [
    handle(searchFeedback, ({ caller, query }) =>
      inWorkspace(services.db, caller.workspaceId, (tx) => searchPage(tx, caller.workspaceId, query)),
    ),
  ]
}
