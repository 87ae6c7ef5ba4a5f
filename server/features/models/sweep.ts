import type { LlmSettings } from '../../platform/config/config.ts'
import { inWorkspace, withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { readUndescribed } from '../insights/index.ts'
import { areJoinsDue } from './joins/judge-joins.ts'
import { PROMPT_VERSION } from './prompt.ts'
import { isPaused } from './run.ts'
import { areSplitsDue } from './splits/split-messages.ts'
import { readWorkspaceIds } from './store.ts'

/**
 * Calls `send` for every workspace in which there is something to ask the model about; for none while it is paused. Names
 * come first, then long messages, since what they say may be undecided, then what is.
 */
export async function sweepDue(
  services: Services,
  settings: LlmSettings,
  send: Record<'names' | 'joins' | 'splits', (workspaceId: string) => Promise<void>>,
): Promise<void> {
  if (await isPaused(services)) return
  const by = { model: settings.model, promptVersion: PROMPT_VERSION, now: services.now() }
  for (const id of await withoutWorkspace(services.db, readWorkspaceIds)) {
    const due = await inWorkspace(services.db, id, (tx) => readUndescribed(tx, id, by, 1))
    const is = (due: typeof areJoinsDue) => inWorkspace(services.db, id, (tx) => due(tx, id, settings, by.now))
    if (due.length > 0) await send.names(id)
    else if (await is(areSplitsDue)) await send.splits(id)
    else if (await is(areJoinsDue)) await send.joins(id)
  }
}
