import { nameWorkspace } from '@groundswell/contract/accounts/workspace-name.ts'
import { inWorkspace } from '../../platform/db/tenant.ts'
import { type Handler, handle } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { renameWorkspace } from '../workspaces/index.ts'

/** The call that names a workspace. */
export function workspaceNameRoutes(services: Services): Handler[] {
  return [
    handle(nameWorkspace, ({ body: { name }, caller: { workspaceId } }) =>
      inWorkspace(services.db, workspaceId, async (tx) => {
        await renameWorkspace(tx, workspaceId, name)
        return { name }
      }),
    ),
  ]
}
