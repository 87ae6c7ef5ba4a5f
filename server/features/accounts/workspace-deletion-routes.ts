import { deleteWorkspace, getWorkspaceDeletion } from '@groundswell/contract/accounts/workspace-deletion.ts'
import { previewWorkspaceDeletion, deleteWorkspace as remove } from '../../auth/index.ts'
import { type Handler, handle } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'

/** The calls by which an owner deletes the workspace that they work in. No key can make them. */
export function workspaceDeletionRoutes(services: Services): Handler[] {
  return [
    handle(getWorkspaceDeletion, async ({ caller }) => {
      const { backupDays, ...rest } = await previewWorkspaceDeletion(services, caller)
      return { ...rest, backup_days: backupDays }
    }),
    handle(deleteWorkspace, async ({ caller, body, request }) => ({
      afterwards: await remove(services, caller, body, request),
    })),
  ]
}
