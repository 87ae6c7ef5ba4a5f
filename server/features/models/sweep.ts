import type { LlmSettings } from '../../platform/config/config.ts'
import { inWorkspace, withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { areJoinsDue } from './joins/judge-joins.ts'
import { PROMPT_VERSION } from './prompt.ts'
import { isPaused } from './run.ts'
import { readDue, readWorkspaceIds } from './store.ts'

/**
 * Calls `send` for every workspace in which there is something to ask the model about; for none while it is paused. Names
 * come first: the rest waits until an insight's are done.
 */
export async function sweepDue(
  services: Services,
  settings: LlmSettings,
  send: Record<'names' | 'joins', (workspaceId: string) => Promise<void>>,
): Promise<void> {
  if (await isPaused(services)) return
  const by = { model: settings.model, promptVersion: PROMPT_VERSION, now: services.now() }
  for (const id of await withoutWorkspace(services.db, readWorkspaceIds)) {
    const due = await inWorkspace(services.db, id, (tx) => readDue(tx, id, by, 1))
    if (due.length > 0) await send.names(id)
    else if (await inWorkspace(services.db, id, (tx) => areJoinsDue(tx, id, settings, by.now))) await send.joins(id)
  }
}
