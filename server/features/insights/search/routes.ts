import { searchFeedback } from '@groundswell/contract/feedback/feedback-search.ts'
import { inWorkspace } from '../../../platform/db/tenant.ts'
import { type Handler, handle } from '../../../platform/http/handle.ts'
import type { Services } from '../../../platform/services.ts'
import { inTurn } from '../../../platform/shares/turns.ts'
import { searchPageByMeaning } from './by-meaning.ts'
import type { SearchByMeaning } from './compared-search.ts'
import { searchPage } from './search.ts'

/** The call that searches all feedback. Without `meaning`, or while it cannot be used, by words only. */
export function searchRoutes(services: Services, meaning: SearchByMeaning | undefined): Handler[] {
  return [
    handle(searchFeedback, ({ caller, caller: { workspaceId }, query, request: { signal } }) =>
      query.by === 'meaning'
        ? inTurn(services, 'searches', caller, signal, () => searchPageByMeaning(services, meaning, workspaceId, query))
        : inWorkspace(services.db, workspaceId, (tx) => searchPage(tx, workspaceId, query)),
    ),
  ]
}
