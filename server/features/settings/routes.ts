import { updateSettings } from '@groundswell/contract/settings.ts'
import { inWorkspace, type Tx } from '../../platform/db/tenant.ts'
import { type Handler, handle } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { replaceSettings } from './store.ts'

/** What others do when it may have become easier for an insight to be pushed. */
export type SettingsHooks = { changed(tx: Tx, workspaceId: string): Promise<void> }

/** The call on settings. `changed` runs in the same transaction, only when the threshold is another one than before. */
export function settingsRoutes(services: Services, hooks: SettingsHooks): Handler[] {
  return [
    handle(updateSettings, async ({ body, caller }) => {
      await inWorkspace(services.db, caller.workspaceId, async (tx) => {
        const before = await replaceSettings(tx, caller.workspaceId, body)
        const sameThreshold =
          before.min_inputs === body.min_inputs && (before.count_people ?? false) === (body.count_people ?? false)
        if (!sameThreshold) await hooks.changed(tx, caller.workspaceId)
      })
      return { message: 'Settings updated successfully', data: body }
    }),
  ]
}
