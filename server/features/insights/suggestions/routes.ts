import { ContractError } from '@groundswell/contract/errors.ts'
import {
  declineMerge,
  listMergeSuggestions,
  listSuggestions,
  undoDeclinedMerge,
} from '@groundswell/contract/insights/suggestions.ts'
import { inWorkspace } from '../../../platform/db/tenant.ts'
import { type Handler, handle } from '../../../platform/http/handle.ts'
import type { Services } from '../../../platform/services.ts'
import { type Revisions, raiseRevision } from '../revision.ts'
import { RevisionedReply } from '../revisioned-reply.ts'
import { addDecline, removeDecline } from './store.ts'
import { viewMergeSuggestions, viewSuggestions } from './suggestions.ts'

/** The calls that list suggestions, and decline those of merging insights. All other answers are corrections. */
export function suggestionRoutes(services: Services, revisions: Revisions): Handler[] {
  const merges = new RevisionedReply(services, revisions, listMergeSuggestions, (tx, workspaceId) =>
    viewMergeSuggestions(tx, workspaceId, services.now()),
  )

  return [
    handle(listSuggestions, ({ caller, params }) =>
      inWorkspace(services.db, caller.workspaceId, (tx) =>
        viewSuggestions(tx, caller.workspaceId, params.issue_number, services.now()),
      ),
    ),

    handle(listMergeSuggestions, ({ caller, clientHas }) => merges.reply(caller.workspaceId, clientHas)),

    handle(declineMerge, ({ caller, body }) =>
      inWorkspace(services.db, caller.workspaceId, async (tx) => {
        const { workspaceId, name, email } = caller
        const author = { person: name || email, now: services.now() }
        const id = await addDecline(tx, workspaceId, body.issue_numbers, author)
        if (id === null) throw new ContractError('not_found', 'One of these insights does not exist')
        await raiseRevision(tx, workspaceId)
        return { decline_id: id }
      }),
    ),

    handle(undoDeclinedMerge, ({ caller, params }) =>
      inWorkspace(services.db, caller.workspaceId, async (tx) => {
        if (!(await removeDecline(tx, caller.workspaceId, params.decline_id))) {
          throw new ContractError('not_found', 'There is no such answer')
        }
        await raiseRevision(tx, caller.workspaceId)
        return params
      }),
    ),
  ]
}
