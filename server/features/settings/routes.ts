import { countBy, type Settings, updateSettings } from '@groundswell/contract/settings.ts'
import { inWorkspace, type Tx } from '../../platform/db/tenant.ts'
import { type Handler, handle } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { saveSettings } from './store.ts'
import { timeZoneRoutes } from './time-zone.ts'
import { workspaceNameRoutes } from './workspace-name.ts'

/** What other features do when settings change, in the transaction that changed them. */
export type SettingsHooks = {
  /** The threshold from which an insight is pushed. */
  thresholdChanged(tx: Tx, workspaceId: string): Promise<void>
  /** The names, descriptions or order of the tags. */
  tagsChanged?(tx: Tx, workspaceId: string): Promise<void>
}

/** The calls that save settings. A hook is called only if what it is about has changed. */
export function settingsRoutes(services: Services, hooks: SettingsHooks): Handler[] {
  return [
    handle(updateSettings, async ({ body, caller }) => {
      const data = await inWorkspace(services.db, caller.workspaceId, async (tx) => {
        const { before, after } = await saveSettings(tx, caller.workspaceId, body)
        const sameThreshold = before.min_inputs === after.min_inputs && countBy(before) === countBy(after)
        if (!sameThreshold) await hooks.thresholdChanged(tx, caller.workspaceId)
        const tags = (settings: Settings) =>
          JSON.stringify(settings.categories.map((tag) => [tag.name, tag.description]))
        if (tags(before) !== tags(after)) await hooks.tagsChanged?.(tx, caller.workspaceId)
        return after
      })
      return { message: 'Settings updated successfully', data }
    }),
    ...timeZoneRoutes(services),
    ...workspaceNameRoutes(services),
  ]
}
