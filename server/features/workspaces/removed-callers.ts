import { ContractError } from '@groundswell/contract/errors.ts'
import pg from 'pg'
import { withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Caller, Handler } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { roleIn } from './members-store.ts'

/** A row refers to one that is gone. */
const FOREIGN_KEY = '23503'

/**
 * The same calls, which refuse (`forbidden`) a caller who is removed while they run: the person, the account or the whole workspace is gone when a
 * row that refers to it is stored. A broken reference of a caller who is still there is a defect, and stays one.
 */
export function refuseRemoved(services: Services, handlers: readonly Handler[]): Handler[] {
  return handlers.map((handler) => ({
    route: handler.route,
    answer: async (input) => {
      try {
        return await handler.answer(input)
      } catch (error) {
        const caller = input.caller as Caller | null
        if (!caller || !isBrokenReference(error) || (await isStillThere(services, caller))) throw error
        throw new ContractError('forbidden', 'You are no longer in this workspace')
      }
    },
  }))
}

function isBrokenReference(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === FOREIGN_KEY
}

/** Read from the database: the notification that other callers are removed by may still be under way to this process. */
function isStillThere(services: Services, { workspaceId, accountId }: Caller): Promise<boolean> {
  return withoutWorkspace(services.db, async (tx) => (await roleIn(tx, workspaceId, accountId)) !== null)
}
