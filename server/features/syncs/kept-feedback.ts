import * as contract from '@groundswell/contract/feedback/kept-feedback.ts'
import { inWorkspace } from '../../platform/db/tenant.ts'
import { type Handler, handle } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { disconnectedSources, lockDisconnected } from '../connections/index.ts'
import { countMessages, deleteFeedbackOf } from '../feedback/index.ts'
import { forgetEvents } from './event-store.ts'
import type { SyncHooks } from './hooks.ts'
import { forgetSync } from './sync-state-store.ts'
import { forgetVersions } from './version-store.ts'

/** The calls on feedback of sources that were disconnected. */
export function keptFeedbackRoutes(services: Services, hooks: Pick<SyncHooks, 'stored'>): Handler[] {
  return [
    handle(contract.listKeptFeedback, ({ caller: { workspaceId } }) =>
      inWorkspace(services.db, workspaceId, async (tx) => {
        const messages = await countMessages(tx, workspaceId)
        const sources = await disconnectedSources(services, tx, workspaceId)
        return {
          sources: sources.flatMap(({ id, disconnectedAt, ...source }) => {
            const count = messages.get(id) ?? 0
            return count > 0 ? [{ ...source, id, messages: count, disconnected_at: disconnectedAt.toISOString() }] : []
          }),
        }
      }),
    ),

    handle(contract.deleteKeptFeedback, ({ params: { id }, caller: { workspaceId } }) =>
      inWorkspace(services.db, workspaceId, async (tx) => {
        await lockDisconnected(tx, workspaceId, id)
        const removed = await deleteFeedbackOf(tx, workspaceId, id)
        // The row of the connection stays: a job may still have to end its sign-in at the provider. Without the state of its
        // sync, the same account is read from the beginning if it is connected again.
        await forgetSync(tx, workspaceId, id)
        await forgetVersions(tx, workspaceId, id)
        await forgetEvents(tx, workspaceId, id)
        if (removed > 0) await hooks.stored(tx, workspaceId)
        return { removed }
      }),
    ),
  ]
}
