import { type Settings, updateSettings } from '@groundswell/contract/settings.ts'
import { inWorkspace, type Tx } from '../../platform/db/tenant.ts'
import { type Handler, handle } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { saveSettings } from './store.ts'

/** What others do when an insight may have become easier to push (`changed`), and when the tags are others (`retagged`). */
export type SettingsHooks = {
  changed(tx: Tx, workspaceId: string): Promise<void>
  retagged?(tx: Tx, workspaceId: string): Promise<void>
}

/** The call on settings. Each hook runs in the same transaction, only when what it is about is not as it was before. */
export function settingsRoutes(services: Services, hooks: SettingsHooks): Handler[] {
  return [
    handle(updateSettings, async ({ body, caller }) => {
      const data = await inWorkspace(services.db, caller.workspaceId, async (tx) => {
        const { before, after } = await saveSettings(tx, caller.workspaceId, body)
        const sameThreshold =
          before.min_inputs === after.min_inputs && (before.count_people ?? false) === (after.count_people ?? false)
        if (!sameThreshold) await hooks.changed(tx, caller.workspaceId)
        const tags = (settings: Settings) =>
          JSON.stringify(settings.categories.map((tag) => [tag.name, tag.description]))
        if (tags(before) !== tags(after)) await hooks.retagged?.(tx, caller.workspaceId)
        return after
      })
      return { message: 'Settings updated successfully', data }
    }),
  ]
}
